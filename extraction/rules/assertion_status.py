"""Rule step: what is named without being a current finding of this patient (`extraction.language.assertion`).

What is of the past, of somebody else, conditional, planned or named as a risk is not proposed, unless its row records
just that. What the speaker is not sure of is proposed with that doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import TIME_TYPES, Row, Schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.assertion import Scope, Status, assertion_cues
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, flagged, suppressed

_MOSTLY = 0.7  # of the characters of a value's words must stand in a scope


def assertion_status(transcript: str, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """What is no current finding is held back with the reason; what is uncertain says so. The proposals are placed in
    the transcript."""
    found = analyse(transcript).scopes
    for value in proposals.values if found else ():
        scope = _scope_of(value, schema.row(value.row_id), found)
        if scope is not None:
            change = flagged if scope.status is Status.UNCERTAIN else suppressed
            yield change(value, finding_of(scope))


def finding_of(scope: Scope) -> Finding:
    """Why what stands in a scope is no current finding, or is doubtful."""
    return Finding(scope.status.value, (scope.cue,))


def _scope_of(value: FilledValue, row: Row, found: Iterable[Scope]) -> Scope | None:
    """What is said of a value that its row does not record; what it is not, rather than how sure it is."""
    said = value.evidence
    around = [
        scope
        for scope in found
        if min(scope.end, said.end) - max(scope.start, said.start) >= _MOSTLY * max(said.end - said.start, 1)
        and not (scope.status is Status.HISTORICAL and value.observed_at)  # charted at that time
        and scope.cue.casefold() not in str(value.value).casefold()  # "probably inadequate" is an option
    ]
    if any(_records(row, scope.status) for scope in around):  # "taught her to call if it gets worse"
        return None
    return min(around, key=lambda scope: scope.status is Status.UNCERTAIN, default=None)


def _records(row: Row, status: Status) -> bool:
    """Whether a row is there for what has this status: its name or its category says so."""
    if status is Status.HISTORICAL and row.value_type in TIME_TYPES:
        return True
    names = stems(" ".join((row.name, *row.synonyms, *chain.from_iterable(row.categories))))
    return bool(names & assertion_cues()[status].rows)
