"""Values, units, times and states in the words a nurse reads."""

from __future__ import annotations

import re
from datetime import date, datetime

from PySide6.QtCore import QLocale

from app.chart.dictation_titles import has_name
from app.chart.patient_identity import Identity, bed_name
from app.chart.recording_time import SOURCES
from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS, unit_words
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import Timing

STATUS_WORDS = {
    ReviewStatus.PROPOSED: "Proposed",
    ReviewStatus.CONFIRMED: "Confirmed",
    ReviewStatus.EDITED: "Edited",
    ReviewStatus.REJECTED: "Rejected",
    ReviewStatus.ADDED: "Added",
}
INCOMPLETE = "identity incomplete – edit"  # of a patient without a second identifier
LOOK_FIRST = "Check these first"
_WEEK = 7  # days
STAGE_WORDS = {
    "load": "Starting models",
    "transcribe": "Transcribing",
    "segment": "Splitting into sentences",
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
    """An ISO date as nobody can misread it: '3 Feb 1950'."""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%b} {day.year}"


def bed_text(bed: str) -> str:
    """'bed 14B', also where the ward's own name for it begins with the word; empty where there is none."""
    return f"bed {bed_name(bed)}" if bed.strip() else ""


def identifiers(patient: Patient | Identity) -> tuple[str, ...]:
    """What tells a patient from another of the same name, as far as it is known. A bed is not among it."""
    born = f"born {date_text(patient.birth_date)}" if patient.birth_date else ""
    number = f"{'temporary no.' if patient.temporary else 'MRN'} {patient.mrn}" if patient.mrn else ""
    return tuple(known for known in (born, number) if known)


def place_text(patient: Patient) -> str:
    """Where somebody is: 'bed 14B', or since when not on the ward any more."""
    return f"discharged {date_text(local_day(patient.discharged_at))}" if patient.discharged else bed_text(patient.bed)


def identity_text(patient: Patient) -> str:
    """Who somebody is, in one line: 'Novak, Anna · born 3 Feb 1950 · MRN 123456 · bed 14B'; what is not known is left
    out."""
    return " · ".join(part for part in (patient.name, *identifiers(patient), place_text(patient)) if part)


def entered_text(identity: Identity) -> str:
    """Who somebody is, as entered, in one line as of `identity_text`."""
    return " · ".join(part for part in (identity.name, *identifiers(identity), bed_text(identity.bed)) if part)


def status_name(value: ReviewedValue) -> str:
    """The name of a value's status, which its icon and colour have, too."""
    return "replaced" if value.replaced_by else str(value.status)


def status_words(value: ReviewedValue) -> str:
    return "Replaced" if value.replaced_by else STATUS_WORDS[value.status]


def by_hand(value: ReviewedValue) -> bool:
    """Whether a person entered what the value is now; how sure the models were is not said of it."""
    return value.filled is None or value.status in (ReviewStatus.EDITED, ReviewStatus.ADDED)


def unit_text(unit: str | None) -> str:
    """A unit for the eye: '[degF]' as '°F'; UCUM's notes in braces, such as '{count}', are none."""
    return re.sub(r"\{[^}]*\}", "", unit_words(unit)).replace("[H2O]", "H₂O").replace("mm[Hg]", "mmHg")


def row_unit(row: Row) -> str:
    """The unit of a row for the eye."""
    return unit_text(row.unit or ("mm[Hg]" if row.value_type is ValueType.BLOOD_PRESSURE else None))


def value_words(row: Row, value: ReviewedValue) -> str:
    """A value with its unit."""
    return f"{display(row, value.value)} {unit_text(value.unit) or row_unit(row)}".strip()


def units_of(row: Row) -> tuple[str, ...]:
    """The units (UCUM) a quantity row can be entered in; its own comes first."""
    own = chart_unit(row) or ""
    return (own, *(unit for unit in DIMENSION_UNITS.get(row.dimension or "", ()) if unit != own))


def category_text(row: Row) -> str:
    return " › ".join(row.category)


def when_text(created_at: str, now: datetime) -> str:
    """A stored UTC time in local time: '14:05' for today, else with the day, and the year where it is another one."""
    moment, now = datetime.fromisoformat(created_at).astimezone(), now.astimezone()
    if moment.date() == now.date():
        return f"{moment:%H:%M}"
    year = "" if moment.year == now.year else f" {moment.year}"
    return f"{moment.day} {moment:%b}{year}, {moment:%H:%M}"


def dictation_text(dictation: Dictation, when: str) -> str:
    """When a dictation was made and what it is called, in one line."""
    named = dictation.title or has_name(dictation.original_name)
    return f"{when} · {dictation.name}" if named else f"Dictation {when}"


def column_text(column: str, here: str) -> str:
    """A column's UTC time in local time, short enough for a heading: '14:05' on the same day as `here`, 'Fri 14:05' in
    the week before, else '3 Nov 14:05'."""
    moment, beside = (datetime.fromisoformat(f"{time}+00:00").astimezone() for time in (column, here))
    days = (beside.date() - moment.date()).days
    day = "" if days == 0 else f"{moment:%a} " if days < _WEEK else f"{moment.day} {moment:%b} "
    return f"{day}{moment:%H:%M}"


def local_day(moment: str) -> str:
    """The day on the ward's clock of a stored UTC time, 'YYYY-MM-DD'."""
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"


def recorded_text(dictation: Dictation, now: datetime) -> str:
    """When a dictation was recorded, and what says so: 'today 14:05, from the file's name'."""
    source = SOURCES.get(dictation.time_source)
    return when_text(dictation.created_at, now) + (f", {source}" if source else "")


def local_minute(created_at: str) -> str:
    """A stored UTC time as the minute of the ward's clock, 'YYYY-MM-DDTHH:MM'."""
    return f"{datetime.fromisoformat(created_at).astimezone():%Y-%m-%dT%H:%M}"


def time_text(observed_at: str, created_at: str) -> str:
    """When something was observed: '06:30' on the day of the dictation, else with its day behind it."""
    day, _, minute = observed_at.partition("T")
    moment = datetime.fromisoformat(observed_at)
    return minute if local_minute(created_at).startswith(day) else f"{minute}, {moment.day} {moment:%b}"


def when_said(timing: Timing, observed_at: str | None) -> str:
    """The words of a time of observation, and what they leave open."""
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
    """How long a recording is: '20 seconds', '3 minutes 5 seconds'."""
    minutes, rest = divmod(int(seconds), 60)
    words = plural(rest, "second")
    return f"{plural(minutes, 'minute')} {words}" if minutes else words


def size_text(size: int) -> str:
    """Bytes as a person compares them with a disk or a download: '145 MB', '1.12 GB'."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def language_text(tag: str) -> str:
    """A language tag as the language's English name, or the tag itself where nobody knows it."""
    locale = QLocale(tag)
    return tag if locale.language() == QLocale.Language.C else QLocale.languageToString(locale.language())


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
