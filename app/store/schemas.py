"""Flowsheet schemas; each version is stored byte for byte."""

from __future__ import annotations

from typing import Any

from app.chart.records import SchemaVersion
from app.store.sqlite import clock, codec, derived
from app.store.sqlite.database import Database
from extraction.flowsheet.schema import Schema, file_sha256
from models.base.errors import InputError


class Schemas:
    """The versions of schemas that dictations were filled with."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, schema: Schema, source_bytes: bytes) -> int:
        """Stores a version of a schema, unless it is known, and returns its id.

        Raises ValueError if the schema was not read from these bytes.
        """
        if schema.sha256 != file_sha256(source_bytes):
            raise ValueError(f"the bytes are not those of schema {schema.id!r}")
        with self._database.write() as db:
            for row in db.query("SELECT id FROM schema_versions WHERE sha256 = ?", [schema.sha256]):
                return int(row["id"])
            record = {
                "schema_id": schema.id,
                "name": schema.name,
                "version": schema.version,
                "sha256": schema.sha256,
                "bytes": source_bytes,
                "created_at": clock.now(),
            }
            version = int(db["schema_versions"].insert(record).last_pk)
            derived.add_schema_rows(db, version, schema.rows)
            return version

    def version(self, schema_version_id: int) -> SchemaVersion:
        with self._database.read() as db:
            return codec.schema_version(_row(db, schema_version_id))

    def content(self, schema_version_id: int) -> bytes:
        """The content of the schema's file as saved."""
        with self._database.read() as db:
            return bytes(_row(db, schema_version_id)["bytes"])

    def content_of(self, sha256: str) -> bytes:
        """The content of the schema's file with this SHA-256. Raises InputError if no dictation was filled with it."""
        with self._database.read() as db:
            for row in db["schema_versions"].rows_where("sha256 = ?", [sha256]):
                return bytes(row["bytes"])
        raise InputError("The flowsheet template of these values is not kept.", "Restore the database from a backup.")


def _row(db: Any, schema_version_id: int) -> dict[str, Any]:
    for row in db["schema_versions"].rows_where("id = ?", [schema_version_id]):
        return dict(row)
    raise InputError(f"There is no version of a schema {schema_version_id}.", "Look up the number and try again.")
