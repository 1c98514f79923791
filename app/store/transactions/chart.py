"""Values in the chart of a patient: their current state, replacements and conflicts, and what of it is filed."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from app.chart.cells import Cell, cell_at, cell_of, conflicts
from app.chart.records import Placed, ReviewedValue
from app.store.sqlite import clock, codec
from app.store.sqlite.codec import plain
from app.store.transactions.signatures import signed
from models.errors import Conflict, InputError

_VALUES = """SELECT *, (
        SELECT nullif(last.value_id, current_values.id) FROM standing_replacements AS last
        WHERE last.value_id = current_values.id OR last.replaced_id = current_values.id
        ORDER BY last.id DESC LIMIT 1
    ) AS replaced_by, (SELECT quote FROM row_values WHERE row_values.id = current_values.id) AS quote
    FROM current_values"""
# one parameter for all ids, because SQLite limits the number of parameters
_AMONG = "id IN (SELECT value FROM json_each(?))"
_ACCEPTED = "status IN ('confirmed', 'edited', 'added')"


def current(db: Any, condition: str, parameters: Sequence[Any] | Mapping[str, Any]) -> list[ReviewedValue]:
    """The values of the view `current_values` that meet a condition, in order of creation."""
    rows = db.query(f"{_VALUES} WHERE {condition} ORDER BY id", parameters)
    return [codec.reviewed_value(row) for row in rows]


def by_ids(db: Any, ids: Iterable[int]) -> list[ReviewedValue]:
    return current(db, _AMONG, [json.dumps(list(ids))])


def _placed(db: Any, condition: str, parameters: Sequence[Any], cells: Container[Cell] | None = None) -> list[Placed]:
    """The values that meet a condition, with their places in the chart.

    With `cells`, only values in these cells are decoded; the condition must then select accepted values.
    """
    query = f"""SELECT v.*, d.encounter_id, d.created_at AS assessed_at, d.original_name, d.title,
            EXISTS (SELECT 1 FROM standing_filings WHERE dictation_id = d.id) AS filed
        FROM ({_VALUES}) AS v JOIN dictations AS d ON d.id = v.dictation_id
        WHERE {condition} ORDER BY d.created_at, v.id"""  # noqa: S608 - built of constants
    rows = db.query(query, parameters)
    return [
        codec.placed(row)
        for row in rows
        if cells is None or cell_at(row["encounter_id"], row["assessed_at"], row["observed_at"], row["row_id"]) in cells
    ]


def standing(db: Any, patient_id: int) -> list[Placed]:
    """All charted values of a patient, in order of their dictations."""
    of_patient = """v.dictation_id IN (
        SELECT dictations.id FROM dictations JOIN encounters ON encounters.id = dictations.encounter_id
        WHERE encounters.patient_id = ? AND deleted_at IS NULL)"""
    found = _placed(db, f"v.{_ACCEPTED} AND {of_patient}", [patient_id])
    return [one for one in found if one.value.stands]


def conflicts_of(db: Any, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
    """Differing charted values in the cells of a dictation's proposed or accepted values, by id of the latter."""
    return _others(db, _placed(db, "v.dictation_id = ?", [dictation_id]))


def replaced_by(db: Any, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
    """The values that a person replaced with values of a dictation, by id of the latter."""
    found: dict[int, tuple[Placed, ...]] = {}
    of_it = "v.replaced_by IN (SELECT id FROM current_values WHERE dictation_id = ?)"
    for former in _placed(db, f"v.{_ACCEPTED} AND {of_it}", [dictation_id]):
        assert former.value.replaced_by is not None
        found[former.value.replaced_by] = (*found.get(former.value.replaced_by, ()), former)
    return found


def _others(db: Any, touched: Sequence[Placed]) -> dict[int, tuple[Placed, ...]]:
    rows, cells = json.dumps(sorted({one.value.row_id for one in touched})), set(map(cell_of, touched))
    found: dict[int, tuple[Placed, ...]] = {}
    for encounter in {one.encounter_id for one in touched}:
        accepted = _placed(
            db,
            f"v.{_ACCEPTED} AND d.encounter_id = ? AND v.row_id IN (SELECT value FROM json_each(?))",  # noqa: S608 - a constant
            [encounter, rows],
            cells,
        )
        found |= conflicts(touched, [one for one in accepted if one.value.stands])
    return found


def _accepted(db: Any, value_ids: Iterable[int]) -> list[Placed]:
    return _placed(db, f"v.{_AMONG} AND v.{_ACCEPTED}", [json.dumps(list(value_ids))])


def replace(db: Any, step: int, value_ids: Iterable[int]) -> None:
    """Replaces, as part of a step, the differing values in the cells of accepted values."""
    db["replacements"].insert_all(
        {"step_id": step, "value_id": value_id, "replaced_id": other.value.id}
        for value_id, others in _others(db, _accepted(db, value_ids)).items()
        for other in others
    )


def refuse_conflicts(db: Any, value_ids: Iterable[int]) -> None:
    """Raises Conflict if the cell of one of the values, as it is now, also holds a different value."""
    for others in _others(db, [one for one in _accepted(db, value_ids) if one.value.stands]).values():
        other = others[0]
        raise Conflict(
            f"The chart has another value in this place already, which {other.value.reviewer} decided about "
            f"({other.source}); one time column of a row holds one value.",
            "Keep it, or replace it.",
        )


def refuse_filed(db: Any, dictation_id: int) -> None:
    """Raises InputError if a dictation is filed."""
    if list(db.query("SELECT 1 FROM standing_filings WHERE dictation_id = ?", [dictation_id])):
        raise InputError("This dictation is filed.", "Reopen it to change it, then file it again.")


def record_filing(db: Any, dictation_id: int, action: str, reviewer: str, files: Sequence[str] = ()) -> None:
    """Records that a dictation was filed (`file`) into these files, or reopened (`reopen`)."""
    record = {
        "dictation_id": dictation_id,
        "action": action,
        **signed(db, reviewer),
        "filed_at": clock.now(),
        "files": json.dumps([plain(name) for name in files]),
    }
    db["filings"].insert(record)


@contextmanager
def reopening_changed(db: Any, dictation_id: int, reviewer: str) -> Iterator[None]:
    """Reopens filed dictations of which the values of this one replace a value, or no longer do, meanwhile.

    Their files no longer say what is charted.
    """
    stood = {one.id: one.stands for one in _tied(db, dictation_id)}
    yield
    # what is tied to this dictation only now stood until now
    changed = {one.dictation_id for one in _tied(db, dictation_id) if one.stands != stood.get(one.id, True)}
    filed = {row["dictation_id"] for row in db.query("SELECT dictation_id FROM standing_filings")}
    for other in sorted(changed & filed):
        record_filing(db, other, "reopen", reviewer)


def _tied(db: Any, dictation_id: int) -> list[ReviewedValue]:
    """The values of other dictations that a value of this one ever replaced, or was replaced by."""
    tied = """dictation_id <> :own AND id IN (
        SELECT replaced_id FROM replacements
        WHERE value_id IN (SELECT id FROM row_values WHERE dictation_id = :own)
        UNION SELECT value_id FROM replacements
        WHERE replaced_id IN (SELECT id FROM row_values WHERE dictation_id = :own))"""
    return current(db, tied, {"own": dictation_id})
