"""Determines when the recording in an imported file was made, if the file plausibly says so.

The values of a dictation are charted at its time. A file imported in the evening was not dictated then, and two files
imported together were not dictated in the same minute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from app.chart.records import Dictation

# Sources of a dictation's time: as stored, and in words.
FROM_FILE, FROM_NAME, FROM_DATE, OPENED, ENTERED = "file", "name", "date", "opened", "entered"
SOURCES = {
    FROM_FILE: "from the file",
    FROM_NAME: "from the file name",
    FROM_DATE: "from the file date",
    OPENED: "when it was opened",
    ENTERED: "entered manually",
}
OLDEST = timedelta(days=7)  # an older time is unlikely to belong in an open chart: a person must enter it
_AHEAD = timedelta(minutes=2)  # clocks of recorders differ
# 2026-11-23 14.05, 20261123_140533, REC-2026-11-23T14-05-33
_IN_NAME = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)[T _.-]{0,2}([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d))?(?!\d)"
)
_OWN = re.compile(r"recording-\d{8}-\d{6}(-\d+)?")


@dataclass(frozen=True, slots=True)
class FileTime:
    """When a recording was made, with time zone, and the source of that time (a key of `SOURCES`)."""

    at: datetime
    source: str


def file_time(path: Path, said: datetime | None, now: datetime) -> FileTime | None:
    """When a file was recorded: by its metadata (`said`), or else by its name, or else by its date.

    None if none of these is plausible: in the future, or more than a week ago.
    """
    named, dated = _named(path.stem), datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    for at, source in ((said, FROM_FILE), (named, FROM_NAME), (dated, FROM_DATE)):
        if at is not None and now - OLDEST <= at <= now + _AHEAD:
            return FileTime(min(at, now), source)
    return None


def began_at(dictation: Dictation) -> datetime | None:
    """When a recording made here began, after which its file is named; None for other files, or a changed time."""
    path = Path(dictation.original_name)
    return None if dictation.time_source or not _OWN.fullmatch(path.stem) else _named(path.stem)


def _named(stem: str) -> datetime | None:
    """The date and time in a file's name, in this computer's time zone; None without one."""
    found = _IN_NAME.search(stem)
    if not found:
        return None
    try:
        return datetime(*(int(part or 0) for part in found.groups())).astimezone()  # type: ignore[arg-type]
    except ValueError:  # the 31st of a month with 30 days, 25 o'clock
        return None
