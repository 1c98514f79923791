"""Bedside measurements, how nurses say their names, and the words around them.

resources/language/<language>/measurements.toml and measurement_cues.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies, refusal, vocabulary
from extraction.language.vocabulary.phrases import any_of, compiled
from extraction.language.vocabulary.tables import plain

_FIELDS = {
    "said": list, "not": list, "rows": list, "loinc": list, "around": list, "topic": list, "between": list,
    "marks": list,
    "kind": str, "unit": str, "low": int | float, "high": int | float, "whole": bool,
    "unnamed": bool, "listed": bool, "near": dict, "needs_unit": bool, "also_in": dict, "in_circumstances": bool,
    "sided": bool,
    "orthostatic": bool,
}  # fmt: skip
_KINDS = ("number", "pressure")
_GRADES = frozenset({"{grade}", "{gauge}"})
_SHORT_NAME = 3  # characters


@dataclass(frozen=True, slots=True)
class Measurement:
    """Something that is measured or counted at the bedside.

    Attributes:
        kind: `number`, or `pressure` for two numbers such as 120/80.
        unit: UCUM; the unit of `low` and `high`.
        low, high: the numbers that can be meant, inclusive.
        whole: whether only whole numbers are said.
        loinc: codes of flowsheet rows that record it.
        rows: names of such rows, in lower case; `said` are the names in speech.
        unnamed: whether a number of its kind without a name is meant.
        listed: whether it is said without its name in a list of vital signs.
        needs_unit: whether a number without a unit is not charted, since it may be in any.
        also_in: by further unit in which it is said, UCUM, the lowest and the highest number.
        in_circumstances: whether it is scored again in other circumstances, such as pain when moving.
        sided: whether it is measured on both sides.
        orthostatic: whether it is measured in one of several positions of the body.
        marks: what must stand behind its number: "+" of "2+ pulses".
        own: whether it is a schema's own, named as its row is.
        between: further words that may stand between its name and its number.
        near: by id of a measurement that is named in the same sentence, the one that is then meant.
    """

    id: str
    kind: str
    unit: str
    low: float
    high: float
    whole: bool
    loinc: frozenset[str]
    rows: tuple[str, ...]
    said: tuple[str, ...]
    unnamed: bool = False
    listed: bool = False
    needs_unit: bool = False
    also_in: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    in_circumstances: bool = False
    sided: bool = False
    orthostatic: bool = False
    marks: re.Pattern[str] | None = None
    own: bool = False
    between: re.Pattern[str] | None = None
    near: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_graded(self) -> bool:
        """Whether its number is the grade or the size that an option of a select row begins with."""
        return self.unit in _GRADES

    @property
    def adds_up(self) -> bool:
        """Whether each of its values is charted, none replacing another: volumes."""
        return self.unit == "mL"

    def in_any_unit(self, number: float) -> bool:
        """Whether a number can be meant in one of its units."""
        return any(low <= number <= high for low, high in ((self.low, self.high), *self.also_in.values()))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in characters [start, end) of a text; `measurement` is None for a phrase that names something else."""

    measurement: Measurement | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Names:
    measurements: Mapping[str, Measurement]
    by_phrase: Mapping[str, Measurement | None]
    capitals: frozenset[str]
    pattern: re.Pattern[str]
    around: tuple[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], Measurement], ...]


@of_vocabularies
def _names() -> _Names:
    """Raises InputError if an entry is incomplete, or a phrase names two measurements."""
    found: dict[str, Measurement] = {}
    by_phrase: dict[str, Measurement | None] = {}
    around: list[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], Measurement]] = []
    for name, entry in vocabulary("measurements").items():
        found[name] = one = _measurement(name, entry)
        for phrase in entry["said"]:
            if by_phrase.setdefault(_key(phrase), one) is not one:
                raise refusal("measurements", f"{name}.said: “{phrase}” also names another measurement")
        for phrase in map(plain, entry.get("around", ())):
            before, number, after = (side.strip() for side in phrase.partition("{n}"))
            if not number or not before + after:
                raise refusal("measurements", f"{name}.around: “{phrase}” must have words around one {{n}}")
            topics = any_of(map(_pattern_of, map(plain, entry["topic"]))) if "topic" in entry else ""
            topic = compiled(rf"(?<!\w){topics}(?!\w)" if topics else "")
            around.append((_words_before(before), _words_after(after), topic, one))
    for name, entry in vocabulary("measurements").items():
        for phrase in entry.get("not", ()):
            if by_phrase.setdefault(_key(phrase), None) is found[name]:
                raise refusal("measurements", f"{name}.not: “{phrase}” is also in its `said`")
    capitals = frozenset(
        _key(phrase) for entry in vocabulary("measurements").values() for phrase in entry["said"] if phrase.isupper()
    )
    return _Names(found, by_phrase, capitals, _named(by_phrase), tuple(around))


def _measurement(name: str, entry: Mapping[str, Any]) -> Measurement:
    for key, value in entry.items():
        kind = _FIELDS.get(key)
        if kind is None or not isinstance(value, kind):
            raise refusal("measurements", f"{name}.{key} is unknown or of the wrong type")
    if missing := [key for key in ("said", "kind", "unit", "low", "high") if key not in entry]:
        raise refusal("measurements", f"{name}: {missing[0]} is missing")
    if entry["kind"] not in _KINDS or entry["low"] > entry["high"]:
        raise refusal("measurements", f"{name}: kind must be one of {', '.join(_KINDS)}, and low at most high")
    return Measurement(
        id=name,
        kind=entry["kind"],
        unit=entry["unit"],
        low=float(entry["low"]),
        high=float(entry["high"]),
        whole=bool(entry.get("whole")),
        loinc=frozenset(entry.get("loinc", ())),
        rows=tuple(map(plain, entry.get("rows", ()))),
        said=tuple(map(plain, entry["said"])),
        unnamed=bool(entry.get("unnamed")),
        listed=bool(entry.get("listed")),
        needs_unit=bool(entry.get("needs_unit")),
        in_circumstances=bool(entry.get("in_circumstances")),
        also_in={unit: (float(low), float(high)) for unit, (low, high) in entry.get("also_in", {}).items()},
        sided=bool(entry.get("sided")),
        orthostatic=bool(entry.get("orthostatic")),
        marks=compiled(rf"\s*{any_of(entry['marks'])}(?!\w)") if "marks" in entry else None,
        between=_between(entry["between"]) if "between" in entry else None,
        near=entry.get("near", {}),
    )


def _between(words: Sequence[str]) -> re.Pattern[str]:
    """Everything between a name and its number: the words of every measurement, and further ones."""
    link = any_of((*cues("measurement_cues")["link"], *words))
    return compiled(rf"[\s:=(~-]*(?:,\s*)?(?:{link}[\s:=(~,-]+){{0,6}}")


def _key(phrase: str) -> str:
    """Equal for phrases that differ only in case, blanks, hyphens and the form of the apostrophe."""
    return " ".join(re.split(r"[\s-]+", phrase.strip().lower().replace("’", "'")))


def _named(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for names as whole words, group 1, with or without a possessive 's."""
    return compiled(rf"(?<![\w/])({any_of(map(_pattern_of, phrases))})(?:['’]s)?(?!\w)")


def _pattern_of(phrase: str) -> str:
    """Hyphens and blanks are interchangeable, and so are the two apostrophes; `{m}` is any number."""
    words = (re.escape(word).replace("'", "['’]") for word in re.split(r"[\s-]+", phrase))
    words = (word.replace(re.escape("{m}"), r"[\w.]+") for word in words)
    return r"[\s-]+".join(words)


def _words_before(words: str) -> re.Pattern[str]:
    return compiled(rf"(?<!\w){_pattern_of(words)}[\s-]*$" if words else "$")


def _words_after(words: str) -> re.Pattern[str]:
    boundary = r"(?!\w)" if words[-1:].isalnum() else ""
    return compiled(rf"[\s,-]*{_pattern_of(words)}{boundary}" if words else "")


def measurements() -> Mapping[str, Measurement]:
    """All measurements by id."""
    return _names().measurements


@of_vocabularies
def mentions(text: str) -> tuple[Mention, ...]:
    """The names in a text, in order; the longest one counts. A name that is listed in capitals must be said so."""
    names = _names()
    found = []
    for match in names.pattern.finditer(text):
        key = _key(match[1])
        if key not in names.capitals or match[1].isupper():
            found.append(Mention(names.by_phrase[key], match.start(), match.end()))
    named = {one.measurement.id for one in found if one.measurement}
    return tuple(replace(one, measurement=_meant(one.measurement, named)) for one in found)


def _meant(measurement: Measurement | None, named: Set[str]) -> Measurement | None:
    """The measurement that a name means where others are named, too."""
    near = (other for one, other in measurement.near.items() if one in named) if measurement else iter(())
    other = next(near, None)
    return measurements()[other] if other else measurement


@dataclass(frozen=True, eq=False)
class OwnNames:
    """Names of measurements that belong to a schema alone; `pattern` finds them in a text."""

    by_phrase: Mapping[str, Measurement]
    pattern: re.Pattern[str]

    def mentions(self, text: str) -> Iterator[Mention]:
        """Their mentions in a text, in order; short ones must be said in capitals."""
        for match in self.pattern.finditer(text):
            if len(match[1]) > _SHORT_NAME or match[1].isupper():
                yield Mention(self.by_phrase[_key(match[1])], match.start(), match.end())


NO_NAMES = OwnNames({}, re.compile(r"(?!)"))


def own_names(of: Iterable[Measurement]) -> OwnNames:
    """The names of measurements, by what is `said` for them; of two with the same name the later one counts."""
    by_phrase = {_key(phrase): one for one in of for phrase in one.said}
    return OwnNames(by_phrase, _named(by_phrase)) if by_phrase else NO_NAMES


def measurement_of_phrase(phrase: str) -> str | None:
    """The id of the measurement that a phrase names; None if it names none."""
    found = _names().by_phrase.get(_key(phrase))
    return found.id if found else None


def with_own_names(text: str, own: OwnNames) -> tuple[Mention, ...]:
    """All mentions in a text, in order; of two that overlap the longer one counts, and a schema's own of equal ones."""
    found = [*own.mentions(text), *mentions(text)]
    kept: list[Mention] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda one: one.start))


def measured_by_words(text: str, start: int, end: int) -> Measurement | None:
    """The measurement that the words around a number in [start, end) belong to, such as "18 breaths a minute".

    The sentence must hold a word of its topic, if it has one.
    """
    for before, after, topic, measurement in _names().around:
        if before.search(text, 0, start) and after.match(text, end) and topic.search(text):
            return measurement
    return None


def unnamed_pressure() -> Measurement | None:
    """The measurement that a pressure without a name belongs to."""
    return next((one for one in measurements().values() if one.kind == "pressure" and one.unnamed), None)


def vital_signs() -> tuple[Measurement, ...]:
    """The vital signs that are said without names in a list, in their usual order."""
    return tuple(one for one in measurements().values() if one.listed)


def pressure_parts(measurement: Measurement) -> tuple[Measurement, Measurement] | None:
    """The measurements of the first and the second number of a pressure, if they have names of their own."""
    known = measurements()
    systolic, diastolic = known.get(f"{measurement.id}_systolic"), known.get(f"{measurement.id}_diastolic")
    return (systolic, diastolic) if systolic and diastolic else None


# words around a measurement


@dataclass(frozen=True, slots=True)
class MeasurementCues:
    """Patterns of the words around a measurement.

    Attributes:
        link: everything between a name and its number.
        backward: everything between a number and the name after it.
        not_current: the end of words that make what follows a goal, a limit or an earlier value.
        child: words that make a text, or rows of a schema, a newborn's.
        circumstance: words after a second score that say when it was felt; `circumstance_joint` is everything between.
        condition: words behind a number without a name that continues the measurement before it.
        mother: words that turn a text about both to the mother.
        other_rows: words of a sentence whose numbers have rows of their own.
        label: the end of words before a number that make it a name, such as that of a bed.
        earlier: words after a number that make it an earlier value.
        list_heading: the start of a list of vital signs.
        competes: everything between a number and the next one that may replace it.
        succeeds: the end of words before a number that replaces an earlier one.
        replaces: everything between a number and one that replaces it; `came_from` everything between a name and an
            earlier number of it, `came_to` between that and the later one.
        is_now: everything between two numbers of which the second is said to be the current one; `of_name` everything
            between a name and the first, a goal or an earlier value.
        now_behind: words behind a number that make it the current one; `before_now` everything between the number
            before it and it.
        heads_list: everything between a name and the first number of a list of it.
        repeat_joint: everything between two numbers of the same measurement in a list.
        another: the end of words before a further amount of the same; `then` that before one that says its unit.
        both_sides: words of a sentence in which a number without a side is said of both.
        intake: words before a volume that was taken in; `output` before one that came out.
        other_side: everything between the numbers of both sides.
        tube_size: words behind a number that make it the size of a tube; `vessel` those that make it no volume;
            `vessel_volume` is everything between these and the volume.
        of_something: words behind a number that make it a number of something else.
        given: words before the name of a drug that make the number a dose; `dose` words behind such a number.
        scale: what a score is out of, after its number.
        equals: words between a clock time and the number of that time; `at` the end of words before the time.
        later_joint: the end of words before a later number of the same; `at_time` its time, behind it; `recheck` the
            end of words that say that it was measured again.
        frequency: words after a number that count how often something happened.
        list_joint: everything between two numbers of a list.
        timed: everything between a time and the number of a series at that time.
        on_oxygen: words after a number of a list that make it a saturation.
        after_oxygen: the end of words on oxygen or room air, behind which a number is a saturation.
        part_of_named: a part of what was named before: "half of it"; `part_of_next` of what is named behind
            it, `part_joint` between the two.
        supplied, not_supplied: words for oxygen, and for none, on which a saturation was measured.
        about_oxygen: words of a sentence in which a number of the patient is a saturation; `of_patient` is the
            end of the words before it.
        bare_rate: the end of words that call a number a rate and do not say of what.
        opens: everything before a number that begins a sentence and continues the one before it.
        list_end: what follows the last number of a list.
        pressure_joint: everything between the numbers of a pressure, where a name says that it is one.
    """

    link: re.Pattern[str]
    backward: re.Pattern[str]
    not_current: re.Pattern[str]
    child: re.Pattern[str]
    circumstance: re.Pattern[str]
    circumstance_joint: re.Pattern[str]
    condition: re.Pattern[str]
    mother: re.Pattern[str]
    other_rows: re.Pattern[str]
    label: re.Pattern[str]
    earlier: re.Pattern[str]
    list_heading: re.Pattern[str]
    competes: re.Pattern[str]
    succeeds: re.Pattern[str]
    replaces: re.Pattern[str]
    came_from: re.Pattern[str]
    came_to: re.Pattern[str]
    is_now: re.Pattern[str]
    of_name: re.Pattern[str]
    now_behind: re.Pattern[str]
    before_now: re.Pattern[str]
    heads_list: re.Pattern[str]
    repeat_joint: re.Pattern[str]
    another: re.Pattern[str]
    then: re.Pattern[str]
    both_sides: re.Pattern[str]
    intake: re.Pattern[str]
    output: re.Pattern[str]
    other_side: re.Pattern[str]
    tube_size: re.Pattern[str]
    vessel: re.Pattern[str]
    vessel_volume: re.Pattern[str]
    of_something: re.Pattern[str]
    given: re.Pattern[str]
    dose: re.Pattern[str]
    scale: re.Pattern[str]
    equals: re.Pattern[str]
    at: re.Pattern[str]
    later_joint: re.Pattern[str]
    at_time: re.Pattern[str]
    recheck: re.Pattern[str]
    frequency: re.Pattern[str]
    list_joint: re.Pattern[str]
    timed: re.Pattern[str]
    on_oxygen: re.Pattern[str]
    after_oxygen: re.Pattern[str]
    part_of_named: re.Pattern[str]
    part_of_next: re.Pattern[str]
    part_joint: re.Pattern[str]
    supplied: re.Pattern[str]
    not_supplied: re.Pattern[str]
    about_oxygen: re.Pattern[str]
    of_patient: re.Pattern[str]
    bare_rate: re.Pattern[str]
    opens: re.Pattern[str]
    list_end: re.Pattern[str]
    pressure_joint: re.Pattern[str]


@of_vocabularies
def measurement_cues() -> MeasurementCues:
    of = cues("measurement_cues")
    filler = any_of(of["replace_fillers"])
    opening = any_of((*of["replaces"], *of["repeat_joints"], *of["replace_fillers"], *of["rechecks"], *of["now"]))
    former = (
        rf"(?:\s*{any_of(of['scales'])})?(?:[^,.;:!?\d]{{0,20}}\b{any_of(of['earlier'])}\b|\s*{any_of(of['times_behind'])}\b)?"
        r"[\s,;(–—-]*"
    )
    part = rf"{any_of(of['parts_of_amount'])} {any_of(of['part_joints'])}"
    return MeasurementCues(
        link=_between(()),
        backward=compiled(rf"[\s-]*(?:%\s*)?(?:{any_of(of['backward'])}\s+){{0,3}}"),
        not_current=compiled(
            rf"\b(?:{any_of(of['limits'])}(?:\s+[a-z'’]+)?|{any_of(of['not_current'])}(?:\s+[a-z'’]+){{0,2}})\s*$"
        ),
        child=compiled(rf"\b{any_of(of['child'])}\b"),
        circumstance=compiled(rf"(?:\s*{any_of(of['scales'])})?\s*{any_of(of['circumstances'])}\b"),
        circumstance_joint=compiled(
            rf"(?:\s*{any_of(of['scales'])})?[^\d.;:]*?(?:,|\b(?:and|but)\b)\s*"
            rf"(?:{any_of(of['circumstance_joints'])}\s+){{0,3}}"
        ),
        condition=compiled(rf"\s*{any_of([*of['circumstances'], *of['conditions']])}(?!\w)"),
        mother=compiled(rf"\b{any_of(of['mother'])}\b"),
        other_rows=compiled(rf"\b{any_of(of['other_rows'])}\b"),
        label=compiled(rf"\b{any_of(of['labels'])}\s*#?$"),
        earlier=compiled(rf"[^,.;:!?\d]{{0,40}}?\b{any_of(of['earlier'])}\b"),
        list_heading=compiled(rf"\b{any_of(of['list_headings'])}\b"),
        competes=compiled(rf"[\s,;-]*(?:{any_of(of['competes'])}[\s,;-]*)*"),
        succeeds=compiled(rf"\b{any_of(of['succeeds'])}\b[^.;:\d]{{0,15}}$"),
        replaces=compiled(
            rf"{former}(?:{filler}[\s,;–—-]+){{0,3}}"
            rf"{any_of(of['replaces'])}[\s,;]*(?:{any_of((*of['replace_fillers'], *of['replaces']))}[\s,;]+){{0,4}}"
        ),
        is_now=compiled(rf"{former}(?:{filler}[\s,;–—-]+){{0,3}}{any_of(of['now'])}[\s,;]*(?:{filler}[\s,;]+){{0,4}}"),
        of_name=compiled(r"[^\d.;:]{0,30}"),
        now_behind=compiled(rf"\s*{any_of(of['now'])}\b"),
        before_now=compiled(rf"{former}(?:{filler}[\s,;–—-]+){{0,4}}"),
        came_from=compiled(rf"[^\d.;:]{{0,30}}\bfrom\s+(?:{any_of(of['link'])}\s+){{0,2}}"),
        came_to=compiled(rf"\s*{any_of(of['came_to'])}\s+(?:{any_of(of['replace_fillers'])}\s+)?"),
        heads_list=compiled(r"[^.;:!?\d]{0,45}[,:]\s*"),
        repeat_joint=compiled(
            rf"\s*(?:{any_of(of['percents'])})?\s*(?:[,;/+]\s*(?:{any_of(of['repeat_joints'])})?|\b{any_of(of['repeat_joints'])})\s*"
        ),
        another=compiled(rf"\b{any_of(of['another'])}\s+$"),
        then=compiled(rf"\b{any_of(of['repeat_joints'])}\s+$"),
        both_sides=compiled(rf"\b{any_of(of['both_sides'])}\b"),
        intake=compiled(rf"\b{any_of(of['intake'])}\b"),
        output=compiled(rf"\b{any_of(of['output'])}\b"),
        other_side=compiled(
            rf"(?:\s*(?:mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?))?[\s,;/]*"
            rf"(?:{any_of(of['side_joints'])}[\s,;:=]+){{0,6}}"
        ),
        tube_size=compiled(rf"[\s-]*{any_of(of['tube_sizes'])}(?!\w)"),
        vessel=compiled(rf"\s*{any_of(of['vessels'])}(?!\w)"),
        vessel_volume=compiled(rf"(?:\s+of\b[^\d.,;:]{{0,30}})?[\s,:=(–-]*(?:{any_of(of['link'])}[\s,]+){{0,3}}"),
        of_something=compiled(rf"\s*{any_of(of['of_something'])}(?!\w)"),
        given=compiled(rf"\b{any_of(of['given'])}\b[^.;:\d]{{0,25}}$"),
        dose=compiled(rf"\s*(?:/\s*\d|{any_of(of['doses'])}(?!\w))"),
        scale=compiled(rf"\s*{any_of(of['scales'])}(?!\w)"),
        equals=compiled(rf"\s*(?:[=:]|{any_of(of['equals'])}\b)"),
        at=compiled(rf"\b{any_of(of['at'])}\s+$"),
        later_joint=compiled(rf"(?:[,;]|\b{any_of(of['later_joints'])})\s*$"),
        at_time=compiled(rf"\s*{any_of(of['times_behind'])}(?![\w:/])"),
        recheck=compiled(rf"\b{any_of(of['rechecks'])}\b(?:[^\d.;]|@ ?\d{{4}}|\d{{1,2}}:\d\d|\d+ ?min\w*){{0,40}}$"),
        frequency=compiled(rf"\s*{any_of(of['frequencies'])}\b"),
        list_joint=compiled(
            rf"\s*(?:{any_of(of['percents'])})?(?:\s+{any_of(of['list_comments'])})?"
            rf"\s*(?:[,;]|\b{any_of(of['list_joints'])}\b)?\s*(?:{any_of(of['list_joints'])}\s+)?"
        ),
        timed=compiled(rf"\s*(?:[=:,]|{any_of(of['equals'])}\b)?\s*"),
        on_oxygen=compiled(rf"\s*(?:{any_of(of['percents'])}(?!\w)|{any_of(of['on_oxygen'])}(?!\w))"),
        after_oxygen=compiled(rf"(?<![\w.]){any_of(of['oxygen'])}[\s,;-]+(?:{any_of(of['now_at'])}\s+){{0,3}}$"),
        part_of_named=compiled(rf"\b{part} {any_of(of['the_named'])}\b"),
        part_of_next=compiled(rf"\b{part}(?: \w+){{0,2}} $"),
        part_joint=compiled(rf"\s+{any_of(of['part_joints'])}\b"),
        supplied=compiled(rf"\b{any_of(of['supplied'])}\b"),
        not_supplied=compiled(rf"\b{any_of(of['not_supplied'])}\b"),
        about_oxygen=compiled(rf"\b{any_of([*of['about_oxygen'], *of['supplied'], *of['not_supplied']])}\b"),
        of_patient=compiled(rf"\b{any_of(of['of_patient'])}\s+$"),
        bare_rate=compiled(rf"(?:^|[,.;]|\band\b|\d)\s*{any_of(of['bare_rates'])}\s*[=:]?\s*$"),
        opens=compiled(rf"\W*(?:{opening}[\s,;:–—-]+){{0,5}}"),
        list_end=compiled(
            rf"\s*(?:{any_of(of['list_comments'])}\b\s*)?(?:[,.;:)\n]|$|->|→|\b{any_of(of['list_joints'])}\b)"
        ),
        pressure_joint=compiled(rf"\s+{any_of(of['pressure_joints'])}\s+"),
    )
