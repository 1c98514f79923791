"""Tables that are derived from the record, so that questions are answered by an index.

`charted_values` has one row for each value that stands in a patient's chart, `dictation_counts` how many values of a
dictation are decided and how many are not. Reviews, replacements, dictations and filings remain the record. The derived
tables cannot drift from it: triggers mark every dictation that a change concerns, whatever makes the change, and
`refresh` derives the marked ones again before the transaction ends (see `Database.write`). One query for each table
says what it has.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from app.chart.cells import column_at, utc_of
from app.chart.records import ACCEPTED
from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.schema import Row

# Of `current_values AS v`: whether a person has taken responsibility for the value, and which other value replaced it.
IS_ACCEPTED = f"v.status IN ({', '.join(repr(status.value) for status in ACCEPTED)})"
REPLACED_BY = """(
    SELECT nullif(last.value_id, v.id) FROM standing_replacements AS last
    WHERE last.value_id = v.id OR last.replaced_id = v.id
    ORDER BY last.id DESC LIMIT 1
)"""
_IS_PRESSURE = """rows.value_type = 'blood_pressure' AND v.value GLOB '"[0-9]*/[0-9]*"'"""
_CHARTED = f"""SELECT v.id, encounters.patient_id, encounters.id, v.dictation_id, v.row_id,
        coalesce(utc_minute(v.observed_at), substr(dictations.created_at, 1, 16)), v.observed_at, v.value,
        CASE
            WHEN json_type(v.value) IN ('integer', 'real') THEN CAST(v.value AS REAL)
            WHEN {_IS_PRESSURE} THEN CAST(substr(v.value, 2) AS REAL)
        END,
        CASE WHEN {_IS_PRESSURE} THEN CAST(substr(v.value, instr(v.value, '/') + 1) AS REAL) END,
        v.unit, rows.loinc, v.status, v.confirmed_outside, v.reviewer, v.reviewed_at,
        EXISTS (SELECT 1 FROM standing_filings WHERE dictation_id = v.dictation_id)
    FROM current_values AS v
    JOIN dictations ON dictations.id = v.dictation_id
    JOIN encounters ON encounters.id = dictations.encounter_id
    LEFT JOIN schema_rows AS rows
        ON rows.schema_version_id = dictations.schema_version_id AND rows.row_id = v.row_id
    WHERE v.dictation_id IN (SELECT value FROM json_each(?)) AND {IS_ACCEPTED} AND {REPLACED_BY} IS NULL"""  # noqa: S608
_COUNTS = """SELECT dictation_id, sum(coalesce(status, 'proposed') = 'proposed'),
        sum(coalesce(status, 'proposed') <> 'proposed')
    FROM current_values WHERE dictation_id IN (SELECT value FROM json_each(?)) GROUP BY dictation_id"""
_DERIVED = {"charted_values": _CHARTED, "dictation_counts": _COUNTS}
# whether a value is replaced depends on the dictation of the value in its place, too
_MARK_REPLACED = """INSERT OR IGNORE INTO stale_dictations
    SELECT replaced.dictation_id FROM stale_dictations AS stale
    CROSS JOIN row_values AS own ON own.dictation_id = stale.dictation_id
    CROSS JOIN replacements ON replacements.value_id = own.id
    CROSS JOIN row_values AS replaced ON replaced.id = replacements.replaced_id"""
_AT_ONCE = 200  # dictations

_TABLES = (
    """CREATE TABLE schema_rows (
        schema_version_id INTEGER NOT NULL REFERENCES schema_versions(id),
        row_id TEXT NOT NULL,
        value_type TEXT NOT NULL,
        loinc TEXT,
        PRIMARY KEY (schema_version_id, row_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE charted_values (
        value_id INTEGER PRIMARY KEY REFERENCES row_values(id),
        patient_id INTEGER NOT NULL,
        encounter_id INTEGER NOT NULL,
        dictation_id INTEGER NOT NULL,
        row_id TEXT NOT NULL,
        at TEXT NOT NULL,
        observed_at TEXT,
        value TEXT NOT NULL,
        number REAL,
        second_number REAL,
        unit TEXT,
        code TEXT,
        status TEXT NOT NULL,
        confirmed_outside TEXT,
        signer TEXT NOT NULL,
        signed_at TEXT NOT NULL,
        filed INTEGER NOT NULL
    )""",
    "CREATE INDEX charted_values_patient ON charted_values(patient_id, at)",
    "CREATE INDEX charted_values_row ON charted_values(patient_id, row_id, at)",
    "CREATE INDEX charted_values_dictation ON charted_values(dictation_id)",
    "CREATE INDEX charted_values_observed ON charted_values(observed_at, at) WHERE observed_at IS NOT NULL",
    """CREATE TABLE dictation_counts (
        dictation_id INTEGER PRIMARY KEY REFERENCES dictations(id),
        proposed INTEGER NOT NULL,
        decided INTEGER NOT NULL
    )""",
    "CREATE INDEX dictation_counts_open ON dictation_counts(dictation_id) WHERE proposed > 0",
    "CREATE TABLE stale_dictations (dictation_id INTEGER PRIMARY KEY)",
    "INSERT INTO stale_dictations SELECT id FROM dictations",
)
_OF_VALUES = "SELECT dictation_id FROM row_values WHERE id IN"
# what changes what is derived, and the dictations that it concerns
_MARKS = (
    ("reviews", "INSERT", f"{_OF_VALUES} (NEW.value_id)"),
    ("reviews", "DELETE", f"{_OF_VALUES} (OLD.value_id)"),
    ("review_steps", "INSERT", "SELECT NEW.dictation_id"),
    ("review_steps", "DELETE", "SELECT OLD.dictation_id"),
    ("replacements", "INSERT", f"{_OF_VALUES} (NEW.value_id, NEW.replaced_id)"),
    ("replacements", "DELETE", f"{_OF_VALUES} (OLD.value_id, OLD.replaced_id)"),
    ("row_values", "INSERT", "SELECT NEW.dictation_id"),
    ("row_values", "UPDATE", "SELECT NEW.dictation_id"),
    ("row_values", "DELETE", "SELECT OLD.dictation_id"),
    ("dictations", "UPDATE OF encounter_id, schema_version_id, created_at, deleted_at", "SELECT NEW.id"),
    ("encounters", "UPDATE OF patient_id", "SELECT id FROM dictations WHERE encounter_id = NEW.id"),
    ("filings", "INSERT", "SELECT NEW.dictation_id"),
)


def create(db: Any) -> None:
    """Creates the tables and the triggers that mark, and marks every dictation.

    A stored version of a schema that can no longer be read has no rows: its values stand without a code.
    """
    from extraction.schema_files.native_format import parse_schema

    for statement in _TABLES:
        db.execute(statement)
    for version, content in db.execute("SELECT id, bytes FROM schema_versions").fetchall():
        with suppress(SchemaError):
            add_schema_rows(db, version, parse_schema(bytes(content), f"schema version {version}").rows)
    for table, event, dictations in _MARKS:
        db.execute(
            f"CREATE TRIGGER {table}_{event.split()[0].lower()}_marks AFTER {event} ON {table} "
            f"BEGIN INSERT OR IGNORE INTO stale_dictations {dictations}; END"
        )


def add_schema_rows(db: Any, schema_version_id: int, rows: Iterable[Row]) -> None:
    """Stores the types and codes of the rows of a version of a schema."""
    db["schema_rows"].insert_all(
        {
            "schema_version_id": schema_version_id,
            "row_id": row.id,
            "value_type": row.value_type.value,
            "loinc": row.loinc,
        }
        for row in rows
    )


def connect(connection: sqlite3.Connection) -> None:
    """Gives a connection the function that `refresh` and `mark_shifted` need: to UTC from a minute by the ward's clock.

    SQLite's own conversion leaves open which of two equal hours is meant.
    """

    def utc_minute(local: str | None) -> str | None:
        return None if local is None else column_at(utc_of(local))

    connection.create_function("utc_minute", 1, utc_minute, deterministic=True)


def refresh(db: Any) -> int:
    """Derives what is marked again, inside a write transaction; returns how many rows were not as stored."""
    if db.execute("SELECT 1 FROM stale_dictations LIMIT 1").fetchone() is None:
        return 0
    changed = 0
    db.execute(_MARK_REPLACED)
    while marked := db.execute("SELECT dictation_id FROM stale_dictations LIMIT ?", [_AT_ONCE]).fetchall():
        dictations = json.dumps([dictation_id for (dictation_id,) in marked])
        changed += sum(_derive(db, table, dictations) for table in _DERIVED)
        db.conn.executemany("DELETE FROM stale_dictations WHERE dictation_id = ?", marked)
    return changed


def _derive(db: Any, table: str, dictations: str) -> int:
    """Derives the rows of dictations, changes those that differ and returns their number. Their key comes first."""
    stored = f"SELECT * FROM {table} WHERE dictation_id IN (SELECT value FROM json_each(?))"  # noqa: S608 - a constant
    former, now = (set(db.execute(query, [dictations])) for query in (stored, _DERIVED[table]))
    gone, fresh = {row[0] for row in former - now}, sorted(now - former)
    db.conn.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(key,) for key in gone])  # noqa: S608 - a constant
    if fresh:
        places = ", ".join("?" * len(fresh[0]))
        db.conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", fresh)  # noqa: S608 - question marks
    return len(gone | {row[0] for row in fresh})


def mark_shifted(db: Any) -> None:
    """Marks dictations with stated times that the computer's time zone no longer puts where they are charted."""
    db.execute(
        """INSERT OR IGNORE INTO stale_dictations
            SELECT values_then.dictation_id FROM (
                SELECT DISTINCT observed_at, at FROM charted_values WHERE observed_at IS NOT NULL
            ) AS moment
            JOIN charted_values AS values_then
                ON values_then.observed_at = moment.observed_at AND values_then.at = moment.at
            WHERE moment.at <> utc_minute(moment.observed_at)"""
    )


def mark_all(db: Any) -> None:
    db.execute("INSERT OR IGNORE INTO stale_dictations SELECT id FROM dictations")
