"""Rule: values that are, or may be, somebody else's: said near another patient's bed or name, or of a newborn.

"Pulse was 88, no sorry, that was bed 8, she was 92": either number may be the patient's. The value is proposed, lit,
with the other number to choose instead. What is said of a newborn is charted in the rows of a newborn alone; where the
newborn may be the patient, it is proposed and lit.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.filling.closed_answers import choices
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_meaning import newborn_rows
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema
from extraction.flowsheet.validation import is_plausible
from extraction.flowsheet.values import Evidence, Proposals
from extraction.language.analysis import analyse
from extraction.language.sentences import Segment
from extraction.language.spans import overlap
from extraction.language.vocabulary.patient_cues import patient_cues
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules.changes import Change, flagged, hold_back


@dataclass(frozen=True, slots=True)
class _Doubt:
    """The sentences in which values may be those of another patient, and the words that name that patient."""

    sentences: tuple[Segment, ...]
    words: str

    def concerns(self, said: Evidence) -> bool:
        return any(one.start <= said.start < one.end for one in self.sentences)


def other_people(
    prepared: PreparedTranscript, schema: Schema, proposals: Proposals, today: dt.date
) -> Iterator[Change]:
    """Holds back what is a newborn's and lights what may be somebody else's."""
    doubts = _doubts(prepared, proposals)
    for value in proposals.values:
        said = value.evidence
        part = next((one for one in prepared.newborns if one.start <= said.start < one.end), None)
        if part and value.row_id not in newborn_rows(schema):
            finding = Finding("of_newborn" if part.sure else "near_newborn", (part.called,))
            yield (hold_back if part.sure else flagged)(value, finding)
        elif doubt := next((one for one in doubts if one.concerns(said)), None):
            others = _other_numbers(schema.row(value.row_id), doubt.sentences, prepared, proposals, today)
            known = {text for text, _ in value.alternatives}
            offered = (*value.alternatives, *((text, 0.0) for text in others if text not in known))
            finding = Finding("near_other_patient", (doubt.words,))
            yield flagged(value, finding, value=replace(value, alternatives=offered))


def _doubts(prepared: PreparedTranscript, proposals: Proposals) -> list[_Doubt]:
    """The sentence of each name of another patient; with it the one before, where it points back or states no value
    itself, and in the latter case the one after. Behind what was set aside, only the one after.
    """
    sentences = analyse(prepared.transcript).sentences
    found = []
    for named in prepared.strangers:
        place = next(index for index, one in enumerate(sentences) if one.start <= named.start < one.end)
        sentence = sentences[place]
        is_empty = not any(
            sentence.start <= value.evidence.start < sentence.end
            and not (named.start <= value.evidence.start < named.end)
            for value in proposals.values
        )
        points_back = patient_cues().points_back.search(prepared.transcript, sentence.start, named.start)
        is_aside = any(one.start <= named.start < one.end for one in prepared.others)
        first = place - 1 if place and ((is_empty and not is_aside) or points_back) else place
        found.append(_Doubt(sentences[first : place + (2 if is_empty else 1)], named.text))
    return found


def _other_numbers(
    row: Row, sentences: Sequence[Segment], prepared: PreparedTranscript, proposals: Proposals, today: dt.date
) -> Iterator[str]:
    """Further numbers of these sentences that the row can have and that neither name a patient nor are proposed."""
    taken = [(one.start, one.end) for one in prepared.strangers]
    taken += [(value.evidence.start, value.evidence.end) for value in proposals.values]
    for one in choices(row, sentences, today) if row.value_type in NUMBER_TYPES else ():
        is_possible = not isinstance(one.value, float) or is_plausible(row, one.value) is not False
        if one.span and is_possible and not any(overlap(one.span, other) for other in taken):
            yield one.text
