"""What is derived from the record, worked out value by value: what the store has must equal it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from app.chart.cells import column_at, utc_of
from app.chart.trends import numbers_in

_ACCEPTED = ("confirmed", "edited", "added")


Derived = tuple[list[dict[str, Any]], dict[int, tuple[int, int]]]


def stored(path: Path) -> Derived:
    """The rows of `charted_values`, and by dictation those of `dictation_counts`."""
    counts = _rows(path, "SELECT * FROM dictation_counts ORDER BY dictation_id")
    charted = _rows(path, "SELECT * FROM charted_values ORDER BY value_id")
    return charted, {one["dictation_id"]: (one["proposed"], one["decided"]) for one in counts}


def derived(path: Path) -> Derived:
    """What they must be, from all reviews that were ever made."""
    dictations = {one["id"]: one for one in _rows(path, "SELECT * FROM dictations")}
    patients = {one["id"]: one["patient_id"] for one in _rows(path, "SELECT * FROM encounters")}
    rows = {(one["schema_version_id"], one["row_id"]): one for one in _rows(path, "SELECT * FROM schema_rows")}
    filed = {one["dictation_id"]: one["action"] == "file" for one in _rows(path, "SELECT * FROM filings ORDER BY id")}
    steps = {one["id"]: one for one in _rows(path, "SELECT * FROM review_steps")}
    for step in list(steps.values()):
        if step["undoes"] is not None:
            del steps[step["id"]]
            steps.pop(step["undoes"], None)
        elif step["encounter_id"] != dictations[step["dictation_id"]]["encounter_id"]:
            steps.pop(step["id"], None)
    reviews = {
        one["value_id"]: one | {"step": steps[one["step_id"]]}
        for one in _rows(path, "SELECT * FROM reviews ORDER BY id")
        if one["step_id"] in steps
    }
    by_hand = {one["value_id"] for one in _rows(path, "SELECT value_id FROM reviews WHERE action = 'add'")}
    accepted, counts = {}, {}
    for value in _rows(path, "SELECT * FROM row_values ORDER BY id"):
        dictation, review = dictations[value["dictation_id"]], reviews.get(value["id"])
        here = value["encounter_id"] == dictation["encounter_id"] and dictation["deleted_at"] is None
        if not here or value["superseded"] or (review is None and value["id"] in by_hand):
            continue
        proposed, decided = counts.get(dictation["id"], (0, 0))
        is_open = review is None or review["status"] == "proposed"
        counts[dictation["id"]] = (proposed + is_open, decided + (not is_open))
        if review and review["status"] in _ACCEPTED:
            accepted[value["id"]] = (value, dictation, review)
    in_place = {}  # by value, the one that a person decided on last
    for one in _rows(path, "SELECT * FROM replacements ORDER BY id"):
        if one["step_id"] in steps and one["value_id"] in accepted:
            in_place |= dict.fromkeys((one["value_id"], one["replaced_id"]), one["value_id"])
    found = []
    for value_id, (value, dictation, review) in accepted.items():
        if in_place.get(value_id, value_id) != value_id:
            continue
        row = rows.get((dictation["schema_version_id"], value["row_id"]), {"value_type": "", "loinc": None})
        content = json.loads(review["value"])
        is_pressure = row["value_type"] == "blood_pressure"
        numbers = numbers_in(content) if is_pressure or not isinstance(content, str) else ()
        first, second, *_ = (*numbers, None, None)
        at = dictation["created_at"] if review["observed_at"] is None else utc_of(review["observed_at"])
        found.append(
            {
                "value_id": value_id,
                "patient_id": patients[dictation["encounter_id"]],
                "encounter_id": dictation["encounter_id"],
                "dictation_id": dictation["id"],
                "row_id": value["row_id"],
                "at": column_at(at),
                "observed_at": review["observed_at"],
                "value": review["value"],
                "number": first,
                "second_number": second,
                "unit": review["unit"],
                "code": row["loinc"],
                "status": review["status"],
                "confirmed_outside": review["confirmed_outside"],
                "signer": review["step"]["reviewer"],
                "signed_at": review["step"]["reviewed_at"],
                "filed": int(filed.get(dictation["id"], False)),
            }
        )
    return found, counts


def _rows(path: Path, query: str) -> list[dict[str, Any]]:
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in database.execute(query)]
    finally:
        database.close()
