"""Turns reviewed dictations into annotated cases for `wardlight learn`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self

from app.adaptation.deidentification import Deidentifier
from app.chart.records import ACCEPTED, Dictation, ReviewedValue, ReviewStatus
from app.record.run import RunRecord
from app.record.values import ProposedValue
from app.store import Store
from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.schema import Schema, ValueType, file_sha256
from extraction.flowsheet.values import NotObtained, Value
from speech.transcript import Transcript

_ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Annotated:
    """The values of a fully reviewed dictation.

    Attributes:
        values: all values, including those that a person added or took from the held-back ones.
        proposals: the values that the last run proposed.
        held_back: the values that it read but did not propose.
    """

    values: Sequence[ReviewedValue]
    proposals: Sequence[ReviewedValue]
    held_back: Sequence[ProposedValue]

    @property
    def accepted(self) -> list[ReviewedValue]:
        """Values that a person has accepted; see `accepted`."""
        return accepted(self.values)

    @classmethod
    def of(cls, run: RunRecord, values: Sequence[ReviewedValue]) -> Self:
        held_back = run.held_back
        known = set(held_back)
        return cls(values, [one for one in values if one.filled and one.filled not in known], held_back)


def accepted(values: Sequence[ReviewedValue]) -> list[ReviewedValue]:
    """Values that a person has accepted as what the dictation says.

    A value replaced by another value of the same dictation is left out, because that withdraws its acceptance. A value
    replaced by one of another dictation is included: the chart has changed, but not what was said here. What was not
    obtained is no value of its row that could be read.
    """
    here = {value.id for value in values}
    return [
        value
        for value in values
        if value.status in ACCEPTED and value.replaced_by not in here and not isinstance(value.value, NotObtained)
    ]


def examples_of(store: Store, schema: Schema) -> list[Case]:
    """Annotated cases from dictations of exactly this schema that were fully reviewed while examples were collected.

    Known names are removed from transcripts and free-text values (see `app.adaptation.deidentification`). The id of a
    case is a hash of the remaining text, and cases are sorted by id, so that neither reveals who or when. If the
    remaining texts of several dictations are the same, only the latest is kept.
    """
    cases = {}
    for reviewed in reviewed_to_the_end(store, schema):
        case = _case(store, *reviewed, schema)
        cases[case.id] = case
    return [cases[case_id] for case_id in sorted(cases)]


def reviewed_to_the_end(store: Store, schema: Schema) -> Iterator[tuple[Dictation, Transcript, list[ReviewedValue]]]:
    """Yields the dictations of exactly this schema that were fully reviewed while examples were collected.

    Oldest first, with transcript and values.
    """
    for dictation, values in _decided(store, schema, reversed(store.dictations.all())):
        transcript = store.transcripts.of(dictation.id)
        if transcript is not None:
            yield dictation, transcript, values


def latest_reviewed(store: Store, schema: Schema, weighed_by: str, count: int) -> list[Annotated]:
    """The latest `count` fully reviewed dictations whose values have this signature, newest first.

    Reads neither older dictations nor transcripts.
    """
    runs: dict[int, RunRecord] = {}

    def is_ours(dictation: Dictation) -> bool:
        run = store.runs.of(dictation.id)
        if run.weighed_by == weighed_by:
            runs[dictation.id] = run
        return dictation.id in runs

    ours = filter(is_ours, store.dictations.newest())
    latest = islice(_decided(store, schema, ours), count)
    return [Annotated.of(runs[dictation.id], values) for dictation, values in latest]


def _decided(
    store: Store, schema: Schema, dictations: Iterable[Dictation]
) -> Iterator[tuple[Dictation, list[ReviewedValue]]]:
    """Yields dictations of exactly this schema whose values were all decided while examples were collected."""
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
