"""Prepares handovers from the store."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import resources
from app.chart.cells import column_of
from app.chart.gaps.habits import NO_HABITS
from app.chart.handover.build import Stay, handover_of
from app.chart.handover.layout import HandoverLayout, parse_layout
from app.chart.handover.page import Handover
from app.chart.records import ChartEntry, Dictation, Patient, ReviewStatus
from app.services.review.sheet_loader import lit, read_sheet
from app.system import paths
from app.system.settings import Settings
from extraction.flowsheet.schema import Row, Schema
from models.base.atomic_files import disk

if TYPE_CHECKING:
    from app.store import Store

SHIPPED = resources.FOLDER / "handover"
DEFAULT_ORDER = "ipass"
_BY_HAND = (ReviewStatus.EDITED, ReviewStatus.ADDED)


def layout_file() -> Path:
    """The ward's own layout, in its settings folder."""
    return paths.config_dir() / "handover.toml"


def chosen_layout(order: str = "") -> HandoverLayout:
    """The shipped layout of this name; without one the ward's own, or I-PASS. Raises InputError if it is invalid."""
    own = layout_file()
    path = own if not order and own.exists() else SHIPPED / f"{order or DEFAULT_ORDER}.toml"
    with disk(path):
        text = path.read_bytes().decode("utf-8", "replace")
    return parse_layout(text, str(path) if path == own else path.name)


def prepare(
    store: Store,
    patient: Patient,
    schema_of: Callable[[Dictation], Schema],
    current: Schema,
    settings: Settings,
    layout: HandoverLayout,
    *,
    unreviewed: Collection[int] | None = None,
) -> Handover:
    """The handover of a patient's last stay, now.

    Args:
        current: the flowsheet in use, for a patient of whom nothing was dictated.
        unreviewed: ids of the dictations with open proposals, if they are known.
    """
    with store.read_snapshot():
        own = store.dictations.of_patient(patient.id)
        stay = store.encounters.last(patient.id)
        dictations = [one for one in own if stay and one.encounter_id == stay.id]
        dictations.sort(key=lambda one: (one.created_at, one.id))
        placed = store.values.standing(patient.id)
        charted = [one for one in placed if stay and one.encounter_id == stay.id]
        entries = store.handover_entries.of(stay.id) if stay else {}
        habits = store.gaps.habits(dictations[-1].schema_version_id) if dictations else NO_HABITS
        open_ones = store.values.open_proposals().keys() if unreviewed is None else unreviewed
        now = store.now()
    rows: dict[str, Row] = {}
    for dictation in dictations:
        rows |= schema_of(dictation).by_id
    schema = schema_of(dictations[-1]) if dictations else current
    rows = schema.by_id | rows | schema.by_id  # in its order; rows that only former ones have come last
    return handover_of(
        Stay(
            patient,
            stay.id if stay else 0,
            stay.started_at if stay else "",
            charted,
            schema,
            rows,
            _flagged(
                store,
                dictations,
                charted_in=_with_last_values(charted),
                schema_of=schema_of,
                settings=settings,
            ),
            habits,
            entries,
            sum(one.id in open_ones or one.status != "filled" for one in dictations),
        ),
        layout,
        now,
        settings.shifts,
    )


def _with_last_values(charted: Collection[ChartEntry]) -> frozenset[int]:
    """Ids of the dictations that have the last value of a row; only these can be on the page."""
    last: dict[str, str] = {}
    for one in charted:
        last[one.value.row_id] = max(column_of(one), last.get(one.value.row_id, ""))
    return frozenset(one.value.dictation_id for one in charted if column_of(one) == last[one.value.row_id])


def _flagged(
    store: Store,
    dictations: Collection[Dictation],
    *,
    charted_in: Collection[int],
    schema_of: Callable[[Dictation], Schema],
    settings: Settings,
) -> dict[int, tuple[str, ...]]:
    """By id of a value that was confirmed as it was proposed, why it was flagged."""
    found: dict[int, tuple[str, ...]] = {}
    for one in dictations:
        if one.id in charted_in:
            sheet = lit(read_sheet(store, one.id, schema_of), settings, None)
            as_read = {value.id for value in sheet.values if value.filled and value.status not in _BY_HAND}
            found |= {value_id: why for value_id, why in sheet.reasons.items() if value_id in as_read}
    return found


def prepare_ward(
    store: Store,
    schema_of: Callable[[Dictation], Schema],
    current: Schema,
    settings: Settings,
    layout: HandoverLayout,
) -> tuple[Handover, ...]:
    """The handovers of all patients on the ward, by bed."""
    unreviewed = store.values.open_proposals().keys()
    present = sorted(store.patients.present(), key=lambda one: (not one.bed, len(one.bed), one.bed, one.name))
    return tuple(prepare(store, one, schema_of, current, settings, layout, unreviewed=unreviewed) for one in present)
