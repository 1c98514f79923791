"""Rule: statements that are not a current finding of this patient (`extraction.language.assertion`).

Statements about the past, other people, conditions, plans or risks are not proposed, unless their row records exactly
that. Uncertain statements and what was ordered are proposed with that doubt, and so are options of what was ended,
refused or not begun ("Foley out at six"): a removal may be charted in their row, too. So is what was said of earlier,
without a time of its own, in a sentence that goes on to how it is now ("it was tea colored, it's clear now"); if that
is proposed as well, only it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from extraction.filling.evidence import is_now_instead
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_words import stems_of_names
from extraction.flowsheet.schema import TIME_TYPES, Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.assertion import Scope, Status, assertion_cues
from extraction.language.past_states import Ended
from extraction.language.spans import Span
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, flagged, hold_back, replaced

_WORD = re.compile(r"\w+")
_MOSTLY = 0.7  # share of a value's characters that must be within a scope


def assertion_status(
    transcript: str, schema: Schema, proposals: Proposals, mothers: Collection[Span] = ()
) -> Iterator[Change]:
    """Holds back values that are not a current finding, and flags uncertain ones.

    Args:
        mothers: words that mean the patient, where they would otherwise mean the patient's mother.
    """
    said = analyse(transcript)
    scopes = [one for one in said.scopes if one.status is not Status.OTHER or not _begins_with(one, mothers)]
    ended = [one for one in said.ended if not _is_charted(one, schema, proposals)]
    for value in proposals.values if scopes or ended or said.outdated else ():
        row = schema.row(value.row_id)
        scope = _scope_of(transcript, value, row, scopes)
        if scope is None and (change_of_options := _without_planned_options(transcript, value, scopes)):
            yield change_of_options
        elif scope is not None:
            change = flagged if scope.status.is_doubt else hold_back
            yield change(value, finding_of(scope))
        elif row.options and (was := next((one for one in ended if _is_mostly_in(value, one.start, one.end)), None)):
            yield flagged(value, Finding("ended", (was.cue,)))
        elif not value.has_own_time and (
            before := next((one for one in said.outdated if _is_mostly_in(value, one.start, one.end)), None)
        ):
            is_now = any(
                other.row_id == value.row_id and is_now_instead(transcript, _span(value), _span(other))
                for other in proposals.values
            )
            yield (hold_back if is_now else flagged)(value, Finding("outdated", (before.now,)))


def _begins_with(scope: Scope, words: Collection[Span]) -> bool:
    return any(start == scope.start for start, _ in words)


def _is_charted(one: Ended, schema: Schema, proposals: Proposals) -> bool:
    """Whether an option or row with the words of the cue is proposed from the same sentence: "status: removed"."""
    cue = stems(one.cue)
    return any(
        value.evidence.sentence_start <= one.start < value.evidence.sentence_end
        and cue & stems(" ".join((row.name, display(row, value.value))))
        for value in proposals.values
        if (row := schema.row(value.row_id)).options
    )


def finding_of(scope: Scope) -> Finding:
    """Why a statement in a scope is doubtful or not a current finding."""
    return Finding(scope.status.value, (scope.cue,))


def _without_planned_options(text: str, value: FilledValue, found: Iterable[Scope]) -> Change | None:
    """A value of several options without those that are still to be done; None if none of them is."""
    if not isinstance(value.value, tuple):
        return None
    for scope in found:
        if scope.status is Status.PLANNED:
            planned = [name for name in value.value if _is_said_only_in(text, value, name, scope)]
            left = tuple(name for name in value.value if name not in planned)
            if planned and left:
                findings = Finding("option_not_stated", (", ".join(planned),)), finding_of(scope)
                return replaced(value, replace(value, value=left), *findings)
    return None


def _scope_of(text: str, value: FilledValue, row: Row, found: Iterable[Scope]) -> Scope | None:
    """The scope of a value, unless its row records that status; one that is only a doubt if there is no other."""
    around = [
        scope
        for scope in found
        if _is_in(text, value, row, scope)
        and not (scope.status is Status.HISTORICAL and value.has_own_time)  # charted at that time
        and scope.cue.casefold() not in str(value.value).casefold()  # "probably inadequate" is an option
    ]
    if any(_records(row, scope.status) for scope in around):  # "taught her to call if it gets worse"
        return None
    return min(around, key=lambda scope: scope.status.is_doubt, default=None)


def _is_in(text: str, value: FilledValue, row: Row, scope: Scope) -> bool:
    if _is_mostly_in(value, scope.start, scope.end):
        return True
    if scope.status not in (Status.PLANNED, Status.ORDERED) or not row.options:
        return False
    options = value.value if isinstance(value.value, tuple) else (str(value.value),)
    return all(_is_said_only_in(text, value, option, scope) for option in options)


def _is_said_only_in(text: str, value: FilledValue, option: str, scope: Scope) -> bool:
    """Whether the words of an option occur in the value's sentence, and in the scope alone.

    Evidence may reach from the thing to what is done with it: "restraints on, release at four".
    """
    said, words = value.evidence, stems(option)
    found = [
        match.start()
        for match in _WORD.finditer(text, said.sentence_start, said.sentence_end)
        if stems(match.group()) & words
    ]
    is_near = max(said.start, scope.start) < min(said.end, scope.end)
    return bool(found) and is_near and all(scope.start <= place < scope.end for place in found)


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end


def _is_mostly_in(value: FilledValue, start: int, end: int) -> bool:
    said = value.evidence
    return min(end, said.end) - max(start, said.start) >= _MOSTLY * max(said.end - said.start, 1)


def _records(row: Row, status: Status) -> bool:
    """Whether the name or category of a row says that it records this status."""
    if status is Status.HISTORICAL and row.value_type in TIME_TYPES:
        return True
    return bool(stems_of_names(row) & assertion_cues()[status].rows)
