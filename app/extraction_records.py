"""What extraction returns, as the record keeps it: the one place that knows the classes of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.record.run import LikelyRows, Named, NamedPatients, PatientPart, SetAside
from app.record.values import Evidence, Neighbour, ProposedValue, Timing

if TYPE_CHECKING:  # they import what the window does not need to start
    from extraction.flowsheet import values as read
    from extraction.preparation import prepared_transcript
    from extraction.preparation.people import other_patients
    from extraction.retrieval import likely_rows


def proposed(values: Iterable[read.FilledValue]) -> tuple[ProposedValue, ...]:
    return tuple(map(_proposed, values))


def _proposed(value: read.FilledValue) -> ProposedValue:
    came, timing = value.neighbour, value.timing
    return ProposedValue(
        row_id=value.row_id,
        value=value.value,
        unit=value.unit,
        evidence=_evidence(value.evidence),
        log_probability=value.log_probability,
        not_mentioned=value.not_mentioned,
        confidence=value.confidence,
        relevance=value.relevance,
        neighbour=Neighbour(came.kind, came.text, came.segment),
        strategy=value.strategy,
        findings=value.findings,
        alternatives=value.alternatives,
        errors=value.errors,
        timing=Timing(timing.at, timing.since, timing.start, timing.end, timing.text) if timing else None,
        taken_back=tuple(map(_evidence, value.taken_back)),
        rule=value.rule,
        held_back_by=value.held_back_by,
        features=value.features,
    )


def _evidence(said: read.Evidence) -> Evidence:
    return Evidence(said.start, said.end, said.text, said.sentence_start, said.sentence_end)


def set_aside(found: Iterable[prepared_transcript.SetAside]) -> tuple[SetAside, ...]:
    return tuple(SetAside(one.start, one.end, one.text, one.why) for one in found)


def likely(found: Iterable[likely_rows.LikelyRows]) -> tuple[LikelyRows, ...]:
    return tuple(LikelyRows(one.start, one.end, one.row_ids) for one in found)


def naming(found: other_patients.NamedPatients) -> NamedPatients:
    return NamedPatients(
        named=_named(found.named),
        strangers=_named(found.strangers),
        mixed=found.mixed,
        other=found.other,
        others=tuple(PatientPart(one.start, one.end, one.called) for one in found.others),
    )


def _named(found: Iterable[other_patients.Named]) -> tuple[Named, ...]:
    return tuple(Named(one.kind, one.called, one.start, one.end, one.text) for one in found)
