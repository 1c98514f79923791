"""Reviewed dictations as annotated cases, from which `wardlight learn` can learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self

from app.adaptation.deidentification import Deidentifier
from app.chart.records import ACCEPTED, Dictation, ReviewedValue, ReviewStatus
from app.store import Store
from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.schema import Schema, ValueType, file_sha256
from extraction.flowsheet.values import FilledValue, Value
from speech.transcript import Transcript

_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Annotated:
    """What was read of a dictation that was reviewed to the end, and what became of it.

    Attributes:
        values: all that the dictation has, also what a person added or took from what was held back.
        proposals: those of them that the last run proposed.
        held_back: what it read and did not propose.
    """

    values: Sequence[ReviewedValue]
    proposals: Sequence[ReviewedValue]
    held_back: Sequence[FilledValue]

    @property
    def accepted(self) -> list[ReviewedValue]:
        """What a person stands for; see `accepted`."""
        return accepted(self.values)

    @classmethod
    def of(cls, dictation: Dictation, values: Sequence[ReviewedValue]) -> Self:
        held_back = dictation.run.held_back
        known = set(held_back)
        return cls(values, [one for one in values if one.filled and one.filled not in known], held_back)


def accepted(values: Sequence[ReviewedValue]) -> list[ReviewedValue]:
    """Those values of a dictation that a person stands for as what it says.

    One that was put aside for another value of the same dictation is none of them: its acceptance was taken back. One
    that gave way to a value of another dictation is: the chart goes on, but this is what was said here.
    """
    here = {value.id for value in values}
    return [value for value in values if value.status in ACCEPTED and value.replaced_by not in here]


def examples_of(store: Store, schema: Schema) -> list[Case]:
    """The dictations of exactly this schema that were reviewed to the end, all of it while examples were collected.

    Texts and values in free text are without the names that are known (see `app.adaptation.deidentification`). A
    case's id is a hash of the text that is left, and cases are in the order of their ids, so that neither tells who or
    when. Of several dictations whose texts are then the same, the latest stands.
    """
    cases = {}
    for reviewed in reviewed_to_the_end(store, schema):
        case = _case(store, *reviewed, schema)
        cases[case.id] = case
    return [cases[case_id] for case_id in sorted(cases)]


def reviewed_to_the_end(store: Store, schema: Schema) -> Iterator[tuple[Dictation, Transcript, list[ReviewedValue]]]:
    """The dictations of exactly this schema of which every value was decided while examples were collected, the oldest
    first, with transcript and values."""
    for dictation, values in _decided(store, schema, reversed(store.dictations.all())):
        transcript = store.transcripts.of(dictation.id)
        if transcript is not None:
            yield dictation, transcript, values


def latest_reviewed(store: Store, schema: Schema, weighed_by: str, count: int) -> list[Annotated]:
    """The last so many of these dictations whose values were weighed by this signature, the newest first.

    Nothing is read of older ones, and no transcript.
    """
    ours = (dictation for dictation in store.dictations.newest() if dictation.run.weighed_by == weighed_by)
    return [Annotated.of(*decided) for decided in islice(_decided(store, schema, ours), count)]


def _decided(
    store: Store, schema: Schema, dictations: Iterable[Dictation]
) -> Iterator[tuple[Dictation, list[ReviewedValue]]]:
    """Those of the dictations that are of exactly this schema and fully decided while examples were collected."""
    ours: dict[int, bool] = {}
    for dictation in dictations:
        version = dictation.schema_version_id
        if version not in ours:
            ours[version] = store.schemas.version(version).sha256 == schema.sha256
        if not ours[version] or dictation.status != "filled" or not store.reviews.collected(dictation.id):
            continue
        values = store.values.of(dictation.id)
        if not any(value.status is ReviewStatus.PROPOSED for value in values):
            yield dictation, values


def _case(
    store: Store, dictation: Dictation, transcript: Transcript, values: Sequence[ReviewedValue], schema: Schema
) -> Case:
    without_names = Deidentifier(store.patients.one(store.encounters.one(dictation.encounter_id).patient_id))

    def observed(row_id: str, value: Value) -> Observation:
        if schema.row(row_id).value_type is ValueType.TEXT:
            value = without_names(str(value))
        return Observation(row_id, value)

    text = without_names(transcript.text)
    observations = dict.fromkeys(observed(it.row_id, it.value) for it in accepted(values))
    return Case(file_sha256(text.encode())[:_ID_DIGITS], text, tuple(observations))
