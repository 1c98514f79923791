"""Rule: statements that are not a current finding of this patient (`extraction.language.assertion`).

Statements about the past, other people, conditions, plans or risks are not proposed, unless their row records exactly
that. Uncertain statements are proposed with that doubt, and so are options of what was ended, refused or not begun
("Foley out at six"): a removal may be charted in their row, too. So is what was said of earlier, without a time of its
own, in a sentence that goes on to how it is now ("it was tea colored, it's clear now"); if that is proposed as well,
only it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from extraction.filling.evidence import is_now_instead
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import TIME_TYPES, Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.assertion import Scope, Status, assertion_cues
from extraction.language.former import Ended
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, flagged, hold_back

_MOSTLY = 0.7  # share of a value's characters that must be within a scope


def assertion_status(transcript: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Holds back values that are not a current finding, and flags uncertain ones.

    Evidence must point into the transcript.
    """
    said = analyse(transcript)
    ended = [one for one in said.ended if not _is_charted(one, schema, proposals)]
    for value in proposals.values if said.scopes or ended or said.outdated else ():
        row = schema.row(value.row_id)
        scope = _scope_of(value, row, said.scopes)
        if scope is not None:
            change = flagged if scope.status is Status.UNCERTAIN else hold_back
            yield change(value, finding_of(scope))
        elif row.options and (was := next((one for one in ended if _is_mostly_in(value, one.start, one.end)), None)):
            yield flagged(value, Finding("ended", (was.cue,)))
        elif not value.has_own_time and (
            before := next((one for one in said.outdated if _is_mostly_in(value, one.start, one.end)), None)
        ):
            is_now = any(
                other.row_id == value.row_id and is_now_instead(transcript, value.evidence, other.evidence)
                for other in proposals.values
            )
            yield (hold_back if is_now else flagged)(value, Finding("outdated", (before.now,)))


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


def _scope_of(value: FilledValue, row: Row, found: Iterable[Scope]) -> Scope | None:
    """The scope of a value, unless its row records that status; an uncertain one only if there is no other."""
    around = [
        scope
        for scope in found
        if _is_mostly_in(value, scope.start, scope.end)
        and not (scope.status is Status.HISTORICAL and value.has_own_time)  # charted at that time
        and scope.cue.casefold() not in str(value.value).casefold()  # "probably inadequate" is an option
    ]
    if any(_records(row, scope.status) for scope in around):  # "taught her to call if it gets worse"
        return None
    return min(around, key=lambda scope: scope.status is Status.UNCERTAIN, default=None)


def _is_mostly_in(value: FilledValue, start: int, end: int) -> bool:
    said = value.evidence
    return min(end, said.end) - max(start, said.start) >= _MOSTLY * max(said.end - said.start, 1)


def _records(row: Row, status: Status) -> bool:
    """Whether the name or category of a row says that it records this status."""
    if status is Status.HISTORICAL and row.value_type in TIME_TYPES:
        return True
    names = stems(" ".join((row.name, *row.synonyms, *chain.from_iterable(row.categories))))
    return bool(names & assertion_cues()[status].rows)
