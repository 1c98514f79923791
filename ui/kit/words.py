"""Values, units, times and states in the words a nurse reads."""

from __future__ import annotations

import re
from datetime import date, datetime

from PySide6.QtCore import QLocale

from app.chart.cells import local_of
from app.chart.dictation_titles import has_name
from app.chart.patient_identity import Identity, bed_name
from app.chart.recording_time import SOURCES, began_at
from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from app.record.values import ProposedValue, Timing
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS, unit_words
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import NotObtained, Value
from speech.text_file import is_invisible

STATUS_WORDS = {
    ReviewStatus.PROPOSED: "Proposed",
    ReviewStatus.CONFIRMED: "Confirmed",
    ReviewStatus.EDITED: "Edited",
    ReviewStatus.REJECTED: "Rejected",
    ReviewStatus.ADDED: "Added",
}
INCOMPLETE = "identity incomplete – edit"  # of a patient without a second identifier
PINNED = "Pinned"
LOOK_FIRST = "Check these first"
_WEEK = 7  # days
_DOT = "·"
STAGE_WORDS = {
    "load": "Starting models",
    "transcribe": "Transcribing",
    "index": "Reading the flowsheet",
    "reduce": "Matching rows",
    "fill": "Filling values",
    "install": "Installing the model",
}
KIND_WORDS = {
    ValueType.SINGLE_SELECT: "single choice",
    ValueType.MULTI_SELECT: "multiple choice",
    ValueType.NUMERIC: "number",
    ValueType.QUANTITY: "measurement",
    ValueType.BLOOD_PRESSURE: "blood pressure",
    ValueType.YES_NO: "yes or no",
    ValueType.TEXT: "free text",
    ValueType.DATE: "date",
    ValueType.TIME: "time",
    ValueType.DATE_TIME: "date and time",
}
ROLE_WORDS = {"speech": "Speech recognition", "filler": "Filling the flowsheet", "embedder": "Matching rows"}


def date_text(iso: str) -> str:
    """An ISO date in unambiguous form: '3 Feb 1950'."""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%b} {day.year}"


def bed_text(bed: str) -> str:
    """'bed 14B' for '14B' and 'Bed 14B'; empty if there is no bed."""
    return f"bed {bed_name(bed)}" if bed.strip() else ""


def identifiers(patient: Patient | Identity) -> tuple[str, ...]:
    """Date of birth and record number in words, as far as known. A bed identifies nobody."""
    born = f"born {date_text(patient.birth_date)}" if patient.birth_date else ""
    number = f"{'temporary no.' if patient.temporary else 'MRN'} {patient.mrn}" if patient.mrn else ""
    return tuple(known for known in (born, number) if known)


def place_text(patient: Patient) -> str:
    """Where a patient is: 'bed 14B' or 'discharged 3 Feb 2026'; empty if no bed is known."""
    return f"discharged {date_text(local_day(patient.discharged_at))}" if patient.discharged else bed_text(patient.bed)


def identity_text(patient: Patient) -> str:
    """A patient in one line, without unknown parts: 'Novak, Anna · born 3 Feb 1950 · MRN 123456 · bed 14B'."""
    return " · ".join(part for part in (patient.name, *identifiers(patient), place_text(patient)) if part)


def entered_text(identity: Identity) -> str:
    """An entered identity in one line, like `identity_text`."""
    return " · ".join(part for part in (identity.name, *identifiers(identity), bed_text(identity.bed)) if part)


def status_name(value: ReviewedValue) -> str:
    """Name of a value's status, which is also the name of its icon and colour."""
    return "replaced" if value.replaced_by else str(value.status)


def status_words(value: ReviewedValue) -> str:
    return "Replaced" if value.replaced_by else STATUS_WORDS[value.status]


def by_hand(value: ReviewedValue) -> bool:
    """True if a person entered the current value, so that the models' confidence does not apply to it."""
    return value.filled is None or value.status in (ReviewStatus.EDITED, ReviewStatus.ADDED)


def unit_text(unit: str | None) -> str:
    """A UCUM unit as displayed: '[degF]' as '°F'; annotations in braces, such as '{count}', are dropped."""
    return re.sub(r"\{[^}]*\}", "", unit_words(unit)).replace("[H2O]", "H₂O").replace("mm[Hg]", "mmHg")


def row_unit(row: Row) -> str:
    """The unit of a row as displayed."""
    return unit_text(row.unit or ("mm[Hg]" if row.value_type is ValueType.BLOOD_PRESSURE else None))


def value_unit(row: Row, value: ReviewedValue | ProposedValue) -> str:
    """The unit of a value as displayed: its own, or its row's; none of what was not obtained."""
    return "" if isinstance(value.value, NotObtained) else unit_text(value.unit) or row_unit(row)


def plain_text(text: str) -> str:
    """A text with dots in place of invisible characters, which could turn its direction; its length stays the same."""
    if text.isascii():
        return text
    return "".join(_DOT if is_invisible(letter) and ord(letter) <= 0xFFFF else letter for letter in text)


def value_text(row: Row, value: Value) -> str:
    """A value without its unit; a date as editors show it, '20 Nov 2026 19:30', however it is stored."""
    text = display(row, value)
    if row.value_type not in (ValueType.DATE, ValueType.DATE_TIME):
        return text
    day, _, minute = text.partition(" ")
    try:
        return f"{date_text(day)} {minute}".rstrip()
    except ValueError:  # not a complete date
        return text


def value_words(row: Row, value: ReviewedValue) -> str:
    """A value with its unit."""
    return f"{value_text(row, value.value)} {value_unit(row, value)}".strip()


def units_of(row: Row) -> tuple[str, ...]:
    """Units (UCUM) in which a quantity row can be entered, its own first."""
    own = chart_unit(row) or ""
    return (own, *(unit for unit in DIMENSION_UNITS.get(row.dimension or "", ()) if unit != own))


def category_text(row: Row) -> str:
    return " › ".join(row.category)


def section_text(row: Row) -> str:
    """The heading under which the flowsheet shows a row."""
    return PINNED if row.pinned else category_text(row)


def when_text(created_at: str, now: datetime) -> str:
    """A stored UTC time in local time: '14:05' for today, else with the day, and the year if it is not this one."""
    moment, now = datetime.fromisoformat(created_at).astimezone(), now.astimezone()
    if moment.date() == now.date():
        return f"{moment:%H:%M}"
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"{moment.day} {moment:%b}{year}, {moment:%H:%M}"


def dictation_text(dictation: Dictation, when: str) -> str:
    """Time and name of a dictation in one line."""
    named = dictation.title or has_name(dictation.original_name)
    return f"{when} · {dictation.name}" if named else f"Dictation {when}"


def column_text(column: str, here: str) -> str:
    """A column's UTC time in local time, short enough for a heading: '14:05' on the same day as `here`, 'Fri 14:05' in
    the week before, else '3 Nov 14:05'."""
    moment, beside = local_of(column), local_of(here)
    days = (beside.date() - moment.date()).days
    day = "" if days == 0 else f"{moment:%a} " if 0 < days < _WEEK else f"{moment.day} {moment:%b} "
    return f"{day}{moment:%H:%M}"


def local_day(moment: str) -> str:
    """The local date of a stored UTC time, 'YYYY-MM-DD'."""
    return f"{local_of(moment):%Y-%m-%d}"


def span_text(dictation: Dictation, now: datetime) -> str:
    """When a dictation was recorded: '14:02 to 14:05' where it is known when it began, else '14:05'."""
    began, ended = began_at(dictation), when_text(dictation.created_at, now)
    start = when_text(began.isoformat(), now) if began else ended
    if start == ended:
        return ended
    day, _, minute = ended.rpartition(", ")
    return f"{start} to {minute if start.startswith(day) else ended}"


def recorded_text(dictation: Dictation, now: datetime) -> str:
    """When a dictation was recorded, and the source of that time: '14:05, from the file name'."""
    source = SOURCES.get(dictation.time_source)
    return span_text(dictation, now) + (f", {source}" if source else "")


def local_minute(created_at: str) -> str:
    """A stored UTC time as local time to the minute, 'YYYY-MM-DDTHH:MM'."""
    return f"{local_of(created_at):%Y-%m-%dT%H:%M}"


def time_text(observed_at: str, created_at: str) -> str:
    """An observation time: '06:30' on the day of the dictation, else '06:30, 3 Nov'."""
    day, _, minute = observed_at.partition("T")
    moment = datetime.fromisoformat(observed_at)
    return minute if local_minute(created_at).startswith(day) else f"{minute}, {moment.day} {moment:%b}"


def when_said(timing: Timing, observed_at: str | None) -> str:
    """The spoken words of an observation time, its start if given, and whether the time of the dictation is used."""
    parts = [f"said “{timing.text}”"]
    if timing.since:
        parts.append(f"from {datetime.fromisoformat(timing.since):%H:%M}")
    if observed_at is None:
        parts.append("time of the dictation")
    return " · ".join(parts)


def clock(seconds: float) -> str:
    """Seconds of a recording as m:ss."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def length_text(seconds: float) -> str:
    """Length of a recording: '20 seconds', '3 minutes 5 seconds'."""
    minutes, rest = divmod(int(seconds), 60)
    words = plural(rest, "second")
    return f"{plural(minutes, 'minute')} {words}" if minutes else words


def size_text(size: int) -> str:
    """A number of bytes in decimal units: '145 MB', '1.12 GB'."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def language_text(tag: str) -> str:
    """English name of the language of a tag; the tag itself if it is unknown."""
    locale = QLocale(tag)
    return tag if locale.language() == QLocale.Language.C else QLocale.languageToString(locale.language())


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
