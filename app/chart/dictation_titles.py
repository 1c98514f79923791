"""Names of dictations."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePath

# names that were not chosen by a person: of own recordings, hashes and UUIDs
_NO_NAME = re.compile(r"recording-\d{8}-\d{6}.*|[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
LONGEST = 80


def name_of(title: str, original_name: str, created_at: str) -> str:
    """The title given by a person, or else the name of the imported file if it has one, or else 'Dictation 14:05'.

    `created_at` is when the dictation was made, UTC in ISO 8601.
    """
    if title:
        return title
    if has_name(original_name):
        return original_name
    return f"Dictation {datetime.fromisoformat(created_at).astimezone():%H:%M}" if created_at else "Dictation"


def has_name(original_name: str) -> bool:
    """Whether a person chose the name of a file."""
    stem = PurePath(original_name).stem
    return bool(stem.strip()) and not _NO_NAME.fullmatch(stem)
