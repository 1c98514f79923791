"""Findings: codes with particulars about a value, and the only place that words them for the nurse.

A finding either lights its value, whatever the models' confidence, or is a note on it. Either keeps the value out of
bulk acceptance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import NamedTuple

_LONGEST_QUOTE = 60  # characters


class _Wording(NamedTuple):
    """The text of a finding, with a placeholder for each particular, and whether it lights its value."""

    text: str
    lights: bool = False


_LIGHTS = True
# The most decisive first: the first reason of a value is often the only one that is seen.
_WORDINGS = {
    # whose value it is
    "near_other_patient": _Wording("said near “{}”: check whose value this is", _LIGHTS),
    "near_newborn": _Wording("said of “{}”: check whose value this is", _LIGHTS),
    "of_newborn": _Wording("said of the newborn (“{}”)"),
    # it cannot be so; the particular is the reason
    "impossible": _Wording("{}", _LIGHTS),
    # the words say otherwise; of the assertion status, the particular is the cue
    "denied": _Wording("said as negative (“{}”); could also be Yes", _LIGHTS),
    "denied_thing": _Wording("“{}” says that there is none"),
    "denied_beside": _Wording("“{}” says that there is none: check what this is about", _LIGHTS),
    "denied_in_part": _Wording("only “{}” was denied: check that it holds for all", _LIGHTS),
    "ended": _Wording("said as ended, refused or not begun (“{}”)", _LIGHTS),
    "other": _Wording("said of somebody else (“{}”)"),
    "historical": _Wording("said of the past (“{}”)"),
    "hypothetical": _Wording("said as a condition (“{}”)"),
    "planned": _Wording("said as a plan or goal (“{}”)"),
    "ordered": _Wording("said as ordered or advised (“{}”): was it done?", _LIGHTS),
    "named": _Wording("said as a risk, a reason or something taught (“{}”)"),
    "uncertain": _Wording("said as uncertain (“{}”)", _LIGHTS),
    "outdated": _Wording("said of an earlier time; then “{}”", _LIGHTS),
    "surroundings": _Wording("said {}: check that it is a value of now", _LIGHTS),
    "contradicts_row": _Wording("does not fit {}: {}", _LIGHTS),
    "excluded_option": _Wording("could also be {}, which cannot be together with {}", _LIGHTS),
    "opposite_said": _Wording("heard “{}”, which is the opposite", _LIGHTS),
    "option_not_stated": _Wording("could also be {}, which the sentence does not state", _LIGHTS),
    "other_side": _Wording("“{}” was said of the {} side", _LIGHTS),
    "other_direction": _Wording("said with “{}”, which is {}"),
    # charting by exception
    "definition_contradicted": _Wording("also said: {}", _LIGHTS),
    "opposite_of_normal": _Wording("opposite of normal, because the exception names this row: please check", _LIGHTS),
    "exception_unmatched": _Wording("the exception “{}” could not be matched to a row", _LIGHTS),
    "would_mean": _Wording("“{}” would mean {}"),
    # corrections
    "unclear_correction": _Wording("it is not clear which number was corrected"),
    "correction_without_target": _Wording("“{}” was said here: listen again"),
    "corrected_from": _Wording("corrected from “{}”"),
    # whose number it is
    "several_said": _Wording("also said: {}", _LIGHTS),
    "number_of_row": _Wording("“{}” belongs to {}"),
    "number_of_instance": _Wording("“{}” is the number of the {}, not a measurement"),
    "of_this_instance": _Wording("“{}” was said of {}"),
    "of_another_instance": _Wording("could also be {}, which was said of another {}", _LIGHTS),
    "said_with_name": _Wording("heard “{}”; could also be {}", _LIGHTS),
    "word_for_word": _Wording("heard “{}”; could also be {}", _LIGHTS),
    "part_said": _Wording("“{}” was said of it: check how much it was", _LIGHTS),
    # what a person disputed beside it, see `app.chart.lights`
    "disputed": _Wording("same words as {}", _LIGHTS),
    # the number and its unit
    "other_total": _Wording("components add up to {}, but {} was charted: {}", _LIGHTS),
    "implausible": _Wording("outside the plausible range {}", _LIGHTS),
    "unusual": _Wording("outside what is usually charted in this row ({})", _LIGHTS),
    "pressure_order": _Wording("the systolic pressure is not above the diastolic"),
    "point_guessed": _Wording("“{}” is not possible; taken as {}", _LIGHTS),
    "unit_contradicted": _Wording("said in {}, which is not possible; taken as {}", _LIGHTS),
    "unit_guessed": _Wording("unit not said, taken as {}", _LIGHTS),
    "other_amount": _Wording("said in {}, and this row is charted in {}", _LIGHTS),
    "other_rate": _Wording("said in {}, and this row is charted in {}", _LIGHTS),
    "vessel_size": _Wording("said in {}, taken as {} each", _LIGHTS),
    "fraction_as_percent": _Wording("said as a fraction, taken as %", _LIGHTS),
    "said_as_range": _Wording("“{}” was said, and a row takes one number", _LIGHTS),
    "unit_assumed": _Wording("unit not said, taken as {}"),
    "other_unit": _Wording("dictated in {}; this row is charted in {}"),
    # hearing
    "heard_as": _Wording("heard “{}” – could be “{}”; listen", _LIGHTS),
    "heard_unclearly": _Wording("“{}” was heard unclearly; listen", _LIGHTS),
    # time; `time_unclear` holds one of the others, for a value that no model read or a time that heads the dictation
    "time_to_come": _Wording("{} was still to come when this was dictated", _LIGHTS),
    "time_unclear": _Wording("{}", _LIGHTS),
    "time_untold": _Wording("no time was said of it, and another value is of {}", _LIGHTS),
    "heading_long_before": _Wording("“{}” at the start is {} hours before the recording", _LIGHTS),
    "heading_passed": _Wording("said after {}; taken as {}, the time at the start", _LIGHTS),
    "heading_vague": _Wording("the dictation is timed vaguely (“{}”); taken as {}", _LIGHTS),
    "heading_assumed": _Wording("taken as of {}, because the dictation begins with “{}”", _LIGHTS),
    "time_vague": _Wording("time given only as “{}”"),
    "time_half_unknown": _Wording("time given without a.m. or p.m.: {}"),
    "time_day_before": _Wording("{} was still to come when this was dictated; taken as the day before"),
    "time_counted": _Wording("“{}”, counted from {}"),
    # which row or instance
    "same_words": _Wording("the same words were read for {}", _LIGHTS),
    "said_of_several": _Wording("said of several at once", _LIGHTS),
    "place_of_instance": _Wording("taken from “{}” in the same sentence", _LIGHTS),
    "unknown_place": _Wording("location matches none of {}"),
    "several_named": _Wording("more than one was named: check which"),
    "both_sides_said": _Wording("left and right were both said"),
    "may_be_any": _Wording("may be any of {}"),
    "chosen_by_meaning": _Wording("heard “{}”; this row was not named: check that it belongs here", _LIGHTS),
    "rows_by_meaning": _Wording("heard “{}”; none of these rows was named: {}", _LIGHTS),
    "by_words": _Wording("heard “{}”; check that it belongs to this row", _LIGHTS),
    "may_belong": _Wording("may belong to {} instead"),
    "also_said": _Wording("could also be {}"),
    # of values that earlier releases stored
    "not_named": _Wording("“{}” was not said", _LIGHTS),
    "promoted": _Wording("the model was only {} sure; proposed because the words say it", _LIGHTS),
    "noted_lit": _Wording("{}", _LIGHTS),
    "noted": _Wording("{}"),
    # doubts of the models, and review history, see `app.chart.lights`
    "near_tie": _Wording("{} or {}?", _LIGHTS),
    "maybe_not_said": _Wording("may not have been said", _LIGHTS),
    "no_clear_mention": _Wording("may be about something else", _LIGHTS),
    "layers_disagree": _Wording("not certain what was meant", _LIGHTS),
    "may_not_belong": _Wording("heard “{}”; check that it belongs to this row", _LIGHTS),
    "may_not_mean": _Wording("heard “{}”; check that it means {}", _LIGHTS),
    "usually_entered": _Wording("reviewers usually enter {} here ({} of {})", _LIGHTS),
    "usually_refused": _Wording("reviewers {} {} of the last {} values of this row", _LIGHTS),
}
_PLACES = {code: place for place, code in enumerate(_WORDINGS)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation about a value.

    Attributes:
        code: a key of the wordings; its meaning never changes.
        about: its particulars, in the order of the placeholders.
        rule: id of the rule that found it, see `extraction.rules.engine`; empty if found while reading the value.
    """

    code: str
    about: tuple[str, ...] = ()
    rule: str = ""

    def __post_init__(self) -> None:
        places = _WORDINGS[self.code].text.count("{}")
        assert len(self.about) == places, f"{self.code} has {places} particulars, not {len(self.about)}"

    @property
    def text(self) -> str:
        """The text for the nurse."""
        return _WORDINGS[self.code].text.format(*self.about)

    @property
    def lights(self) -> bool:
        """Whether the value is lit whatever the models' confidence."""
        return _WORDINGS[self.code].lights


def of_rule(findings: Iterable[Finding], rule: str) -> tuple[Finding, ...]:
    """Attributes to a rule all findings that have no rule yet."""
    return tuple(one if one.rule else replace(one, rule=rule) for one in findings)


def quote(words: str) -> str:
    """Words of a dictation as a finding quotes them, shortened."""
    return shorten(words, _LONGEST_QUOTE, placeholder=" …")


def texts(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(one.text for one in findings)


def reason_texts(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The texts of findings, each once and the most decisive first."""
    return tuple(dict.fromkeys(texts(sorted(findings, key=lambda one: _PLACES[one.code]))))
