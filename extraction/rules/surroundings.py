"""Rule: a number that the words around it may make something else than a current value of this patient.

It may have been taken back, be a goal, a setting, of somebody else (`extraction.estimators.mention_reader`): it is
proposed with that doubt. Rows that record just that keep it.
"""

from __future__ import annotations

from collections.abc import Iterator

from extraction.estimators.mention_reader import STATUSES, MentionStatus
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_words import stems_of_names
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType
from extraction.flowsheet.values import Proposals
from extraction.language.vocabulary.mention_cues import mention_cues
from extraction.preparation.mentions import mention_at
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules.changes import Change, flagged

# Probability of not being current; see docs/measurements.md for how often that is so.
_DOUBTED = 0.7
_NUMBERS = {*NUMBER_TYPES, ValueType.BLOOD_PRESSURE}


def surroundings(prepared: PreparedTranscript, schema: Schema, proposals: Proposals) -> Iterator[Change]:
    """Flags the numbers that may not be current."""
    for value in proposals.values:
        row, said = schema.row(value.row_id), value.evidence
        mention = mention_at(prepared.mentions, (said.start, said.end)) if row.value_type in _NUMBERS else None
        if mention is None:
            continue
        against = [one for one in STATUSES if one is not MentionStatus.CURRENT and not _records(row, one)]
        doubt = mention.read.of(*against)
        if doubt >= _DOUBTED:
            words = mention_cues()[mention.read.likeliest(against)].said
            yield flagged(value, Finding("surroundings", (words,)))


def _records(row: Row, status: MentionStatus) -> bool:
    """Whether the name or category of a row says that it records values of this status."""
    return bool(stems_of_names(row) & mention_cues()[status].rows)
