"""The patients of the ward, as the database keeps them."""

from __future__ import annotations

from typing import Any

from app.records import Patient
from app.store.codec import plain
from app.store.reviews import now
from models.errors import InputError


def add(db: Any, name: str, bed: str, mrn: str, birth_date: str) -> Patient:
    """Raises InputError for an empty name."""
    name, bed, mrn, birth_date = (plain(text).strip() for text in (name, bed, mrn, birth_date))
    if not name:
        raise InputError("The patient has no name.", "Enter the name or the alias that the ward uses.")
    record = {"name": name, "bed": bed, "mrn": mrn, "birth_date": birth_date, "created_at": now()}
    return Patient(db["patients"].insert(record).last_pk, name, bed, mrn, birth_date)
