"""Triggers by which a table can only be added to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def only_added_to(db: Any, *tables: str, verbs: Sequence[str] = ("UPDATE", "DELETE"), unless: str = "") -> None:
    """Makes the database refuse these changes to tables, `unless` a condition on the row holds."""
    for table in tables:
        for verb in verbs:
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                + (f"WHEN NOT {unless} " if unless else "")
                + f"BEGIN SELECT RAISE(ABORT, '{table} can only be added to'); END"
            )
