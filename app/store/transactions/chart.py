"""Values in the chart of a patient: their current state, replacements and conflicts, and what of it is filed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from app.chart.cells import cell_of, conflicts
from app.chart.history.charted_values import ChartedValue
from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.record.errors import Conflict
from app.store.sqlite import clock, codec, derived
from app.store.sqlite.codec import plain
from app.store.sqlite.derived import IS_ACCEPTED, REPLACED_BY
from app.store.transactions.signatures import signed
from extraction.flowsheet.ranges import Outside
from models.base.errors import InputError

_VALUES = f"""SELECT v.*, {REPLACED_BY} AS replaced_by,
        (SELECT quote FROM row_values WHERE row_values.id = v.id) AS quote
    FROM current_values AS v"""  # noqa: S608 - built of constants
# those that stand, with the columns of `_PLACED`
_STANDING = """SELECT c.value_id AS id, c.dictation_id, c.row_id, c.value, c.unit, c.observed_at, c.status,
        c.confirmed_outside, c.signer AS reviewer, c.signed_at AS reviewed_at, NULL AS replaced_by, c.encounter_id,
        c.filed, v.transcript_id, v.filled, v.quote, d.created_at AS assessed_at, d.original_name, d.title
    FROM charted_values AS c
    JOIN row_values AS v ON v.id = c.value_id
    JOIN dictations AS d ON d.id = c.dictation_id"""
_PLACED = f"""SELECT v.*, d.encounter_id, d.created_at AS assessed_at, d.original_name, d.title,
        EXISTS (SELECT 1 FROM standing_filings WHERE dictation_id = d.id) AS filed
    FROM ({_VALUES}) AS v JOIN dictations AS d ON d.id = v.dictation_id"""  # noqa: S608 - built of constants
# one parameter for all ids, because SQLite limits the number of parameters
_AMONG = "id IN (SELECT value FROM json_each(?))"
# an index finds the values of a cell by patient, row and time
_IN_CELLS = """c.value_id IN (
    SELECT found.value_id FROM json_each(?) AS cell
    CROSS JOIN encounters ON encounters.id = json_extract(cell.value, '$[0]')
    CROSS JOIN charted_values AS found ON found.patient_id = encounters.patient_id
        AND found.row_id = json_extract(cell.value, '$[2]') AND found.at = json_extract(cell.value, '$[1]')
    WHERE found.encounter_id = encounters.id
)"""


def current(db: Any, condition: str, parameters: Sequence[Any] | Mapping[str, Any]) -> list[ReviewedValue]:
    """The values of the view `current_values` that meet a condition, in order of creation."""
    rows = db.query(f"{_VALUES} WHERE {condition} ORDER BY id", parameters)
    return [codec.reviewed_value(row) for row in rows]


def by_ids(db: Any, ids: Iterable[int]) -> list[ReviewedValue]:
    return current(db, _AMONG, [json.dumps(list(ids))])


def _placed(db: Any, condition: str, parameters: Sequence[Any] | Mapping[str, Any]) -> list[ChartEntry]:
    """The values that meet a condition, with their places in the chart, in order of their dictations."""
    rows = db.query(f"{_PLACED} WHERE {condition} ORDER BY d.created_at, v.id", parameters)
    return [codec.placed(row) for row in rows]


def _standing(db: Any, condition: str, parameter: int | str) -> list[ChartEntry]:
    """As `_placed`, the charted values that meet a condition."""
    rows = db.query(f"{_STANDING} WHERE {condition} ORDER BY d.created_at, c.value_id", [parameter])
    return [codec.placed(row) for row in rows]


def standing(db: Any, patient_id: int) -> list[ChartEntry]:
    """All charted values of a patient, in order of their dictations."""
    return _standing(db, "c.patient_id = ?", patient_id)


def charted(
    db: Any, patient_id: int, row_ids: Iterable[str] | None, since: str | None = None, until: str | None = None
) -> list[ChartedValue]:
    """As `Values.charted`; `since` and `until` are minutes as the chart's columns."""
    limits = {
        "row_id IN (SELECT value FROM json_each(?))": None if row_ids is None else json.dumps(sorted(row_ids)),
        "at >= ?": since,
        "at < ?": until,
    }
    given = {condition: limit for condition, limit in limits.items() if limit is not None}
    query = f"SELECT * FROM charted_values WHERE {' AND '.join(('patient_id = ?', *given))}"  # noqa: S608 - constants
    found = db.query(query, [patient_id, *given.values()])
    # sorted here, because SQLite would choose an index for the order and read the whole chart for one row
    return [_charted(row) for row in sorted(found, key=lambda row: (row["at"], row["value_id"]))]


def _charted(row: dict[str, Any]) -> ChartedValue:
    outside = row["confirmed_outside"]
    decoded = {
        "value": codec.decode_value(row["value"]),
        "status": ReviewStatus(row["status"]),
        "confirmed_outside": Outside(outside) if outside else None,
        "filed": bool(row["filed"]),
    }
    return ChartedValue(**row | decoded)


def conflicts_of(db: Any, dictation_id: int) -> dict[int, tuple[ChartEntry, ...]]:
    """Differing charted values in the cells of a dictation's proposed or accepted values, by id of the latter."""
    return _others(db, _placed(db, "v.dictation_id = ?", [dictation_id]))


def replaced_by(db: Any, dictation_id: int) -> dict[int, tuple[ChartEntry, ...]]:
    """The values that a person replaced with values of a dictation, by id of the latter."""
    own = {value.id for value in current(db, "dictation_id = ?", [dictation_id])}
    ever = """v.id IN (SELECT replaced_id FROM replacements
        WHERE value_id IN (SELECT id FROM row_values WHERE dictation_id = ?))"""
    found: dict[int, tuple[ChartEntry, ...]] = {}
    for former in _placed(db, f"{ever} AND {IS_ACCEPTED}", [dictation_id]):
        if former.value.replaced_by in own:
            found[former.value.replaced_by] = (*found.get(former.value.replaced_by, ()), former)
    return found


def _others(db: Any, touched: Sequence[ChartEntry]) -> dict[int, tuple[ChartEntry, ...]]:
    derived.refresh(db)
    cells = json.dumps(sorted(set(map(cell_of, touched))))
    return conflicts(touched, _standing(db, _IN_CELLS, cells))


def _accepted(db: Any, value_ids: Iterable[int]) -> list[ChartEntry]:
    return _placed(db, f"v.{_AMONG} AND {IS_ACCEPTED}", [json.dumps(list(value_ids))])


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
            f"This cell already holds a value confirmed by {other.value.reviewer} ({other.source}); one time "
            "column of a row holds one value.",
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
    filed = db.query(
        "SELECT dictation_id FROM standing_filings WHERE dictation_id IN (SELECT value FROM json_each(?))",
        [json.dumps(sorted(changed))],
    )
    for row in list(filed):
        record_filing(db, row["dictation_id"], "reopen", reviewer)


def _tied(db: Any, dictation_id: int) -> list[ReviewedValue]:
    """The values of other dictations that a value of this one ever replaced, or was replaced by."""
    tied = """dictation_id <> :own AND id IN (
        SELECT replaced_id FROM replacements
        WHERE value_id IN (SELECT id FROM row_values WHERE dictation_id = :own)
        UNION SELECT value_id FROM replacements
        WHERE replaced_id IN (SELECT id FROM row_values WHERE dictation_id = :own))"""
    return current(db, tied, {"own": dictation_id})
