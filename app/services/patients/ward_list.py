"""Reads the ward's list of patients from another system: a CSV file, read line by line, without guessing.

Column names are accepted in many spellings; delimiter and encoding are detected. A line that cannot be used is refused
with a reason. Cells are text: what a spreadsheet would take for a formula is refused.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.chart.patient_identity import Identity, bed_key, complete, mrn_key, name_key
from extraction.language.birth_dates import birth_dates
from models.base.errors import InputError

LARGEST = 4 * 1024 * 1024
_DELIMITERS = ",;\t|"
_COLUMNS = {
    "name": "name patient patientname fullname alias nameoralias",
    "last": "lastname surname familyname last",
    "first": "firstname givenname forename first",
    "mrn": "mrn recordnumber recordno medicalrecordnumber medicalrecordno mrnumber patientid patientnumber patientno "
    "hospitalnumber",
    "born": "dob dateofbirth birthdate born birthday",
    "bed": "bed bedno bednumber bedroom roombed location",
    "room": "room roomno roomnumber",
}
_KNOWN = {spelling: column for column, spellings in _COLUMNS.items() for spelling in spellings.split()}
_NOTHING = {"", "-", "\N{EN DASH}", "n/a", "na", "none", "unknown", "null"}
_EXCEL_TEXT = re.compile(r'="([^"=]*)"')  # makes spreadsheets keep leading zeros
_FORMULA = re.compile(r"[=+@\-]")
_SHORTENED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)
_MIDNIGHT = re.compile(r"[ T]0?0:00(:00(\.0+)?)?$")
_NUMERIC_DATE = re.compile(r"(\d{1,2})[\s./\-]+(\d{1,2})[\s./\-]+\d{4}")
_UNWANTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Listed:
    """A patient from one line of the list."""

    line: int
    identity: Identity


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is left out, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class WardList:
    """The content of a list.

    Attributes:
        patients: the lines that can be used, in order.
        refused: the lines that cannot.
        example: a date of birth for which it is unknown whether the day or the month comes first; empty without one.
        day_first: whether the day comes first in dates such as 03/02/1950; None if unknown.
    """

    patients: tuple[Listed, ...]
    refused: tuple[Refused, ...]
    example: str = ""
    day_first: bool | None = None


def read_ward_list(path: Path, *, day_first: bool | None = None) -> WardList:
    """Reads a list from a file. Raises InputError if it cannot be read or is no list of patients."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path.name} is too large for a list of patients.", "Choose the list of one ward.")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path.name} cannot be read: {error.strerror}.", "Check the file and its permissions."
        ) from error
    return parse_ward_list(data, path.name, day_first=day_first)


def parse_ward_list(data: bytes, name: str = "The list", *, day_first: bool | None = None) -> WardList:
    """Reads a list from the bytes of a file.

    Args:
        day_first: whether the day comes first in dates such as 03/02/1950, if a person has said so; otherwise it is
            inferred from the other dates of the list, and if they do not show it, such lines are refused.

    Raises:
        InputError: this is no CSV file with a line of column names.
    """
    text = _decoded(data, name)
    rows = _rows(text, name)
    try:
        at, header = next((line, cells) for line, cells in rows if any(cell.strip() for cell in cells))
    except StopIteration:
        raise InputError(f"{name} is empty.", "Choose the list of the ward.") from None
    columns = _columns(header, name, at)
    lines = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    if day_first is None:
        day_first = _shown_order([_cell(cells, columns.get("born")) for _, cells in lines])
    taken, refused, example = list[Listed](), list[Refused](), ""
    for line, cells in lines:
        try:
            if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
                raise InputError("This line has more columns than the first line.")
            taken.append(Listed(line, _identity(cells, columns, day_first)))
        except _Ambiguous as error:
            example = example or error.text
            refused.append(Refused(line, _shown(cells), error.what))
        except InputError as error:
            refused.append(Refused(line, _shown(cells), error.what))
    taken, repeated = _without_repeats(taken)
    every = sorted([*refused, *repeated], key=lambda one: one.line)
    return WardList(tuple(taken), tuple(every), example, day_first)


class _Ambiguous(InputError):
    def __init__(self, text: str) -> None:
        super().__init__(f"The date of birth {text} could be day first or month first.")
        self.text = text


def _decoded(data: bytes, name: str) -> str:
    encodings = ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise InputError(f"{name} is not a text file.", "Save the list as CSV, and choose that file.")


def _rows(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{name}, line {line}, is not valid CSV: {error}.", "Save the list as CSV again.") from error


def _delimiter(text: str) -> str:
    """The delimiter that finds the most known columns in the first line that is not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")

    def known(delimiter: str) -> int:
        try:
            cells = next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:
            return 0
        return sum(_key(cell) in _KNOWN for cell in cells)

    return max(_DELIMITERS, key=known)


def _key(heading: str) -> str:
    return "".join(character for character in heading.casefold() if character.isalpha())


def _columns(header: Sequence[str], name: str, line: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for place, heading in enumerate(header):
        column = _KNOWN.get(_key(heading))
        if column in found:
            raise InputError(
                f"{name} has two columns for the same field: {header[found[column]].strip()} and {heading.strip()}.",
                "Remove one, then import the list again.",
            )
        if column:
            found[column] = place
    if not ("name" in found or "last" in found) or not ("mrn" in found or "born" in found):
        raise InputError(
            f"Line {line} of {name} does not name the columns.",
            "It must have a name and an MRN or a date of birth, for example: Name, MRN, Date of birth, Bed.",
        )
    return found


def _cell(cells: Sequence[str], place: int | None) -> str:
    """A cell as plain text; empty for a missing cell and for a placeholder such as "n/a"."""
    if place is None or place >= len(cells):
        return ""
    text = " ".join(_UNWANTED.sub("", cells[place]).split())
    if kept := _EXCEL_TEXT.fullmatch(text):
        text = kept[1].strip()
    return "" if text.casefold() in _NOTHING else text


def _identity(cells: Sequence[str], columns: dict[str, int], day_first: bool | None) -> Identity:
    cell = {column: _cell(cells, place) for column, place in columns.items()}
    for column, text in cell.items():
        if _FORMULA.match(text.removeprefix("'")):
            raise InputError(f"“{text[:40]}” looks like a spreadsheet formula.")
        if column == "mrn" and _SHORTENED.fullmatch(text):
            raise InputError(f"The MRN {text} was shortened by a spreadsheet.")
    name = cell.get("name", "")
    if not name:
        name = ", ".join(part for part in (cell.get("last", ""), cell.get("first", "")) if part)
    room, bed = cell.get("room", ""), cell.get("bed", "")
    if room and not bed_key(bed).startswith(bed_key(room)):
        bed = f"{room} {bed}".strip()
    return complete(Identity(name, bed, cell.get("mrn", ""), _born(cell.get("born", ""), day_first)))


def _born(text: str, day_first: bool | None) -> str:
    text = _MIDNIGHT.sub("", text)
    if not text:
        return ""
    days = birth_dates(text)
    if len(days) == 1:
        return days[0]
    if day_first is None:
        raise _Ambiguous(text)
    return days[0 if day_first else 1]


def _shown_order(dates: Sequence[str]) -> bool | None:
    """Whether the day comes first; None if the dates do not show it or contradict each other."""
    shown = set()
    for text in dates:
        numbers = _NUMERIC_DATE.fullmatch(_MIDNIGHT.sub("", text))
        if numbers:
            one, two = int(numbers[1]), int(numbers[2])
            if max(one, two) > 12 and min(one, two) <= 12:
                shown.add(one > two)
    return shown.pop() if len(shown) == 1 else None


def _without_repeats(taken: Sequence[Listed]) -> tuple[list[Listed], list[Refused]]:
    """Keeps the first of equal lines, and none of those that contradict each other; refuses the rest."""
    first: dict[Identity, int] = {}
    refused: dict[int, str] = {}
    for one in taken:
        if one.identity in first:
            refused[one.line] = f"Repeats line {first[one.identity]}."
        first.setdefault(one.identity, one.line)
    once = [one for one in taken if one.line not in refused]
    keys: dict[str, Callable[[Identity], str]] = {
        "MRN": lambda who: mrn_key(who.mrn),
        "bed": lambda who: bed_key(who.bed),
        "name and date of birth": lambda who: who.birth_date and f"{name_key(who.name)} {who.birth_date}",
    }
    for what, key in keys.items():
        lines: dict[str, list[int]] = {}
        for one in once:
            lines.setdefault(key(one.identity), []).append(one.line)
        for shared, several in lines.items():
            if shared and len(several) > 1:
                for line in several:
                    others = " and ".join(str(other) for other in several if other != line)
                    refused.setdefault(line, f"Has the same {what} as line {others}.")
    by_line = {one.line: one for one in taken}
    return (
        [replace(one) for one in taken if one.line not in refused],
        [Refused(line, by_line[line].identity.name, why) for line, why in refused.items()],
    )


def _shown(cells: Sequence[str]) -> str:
    """A line in a form that a person recognises, shortened and without control characters."""
    words = ", ".join(" ".join(_UNWANTED.sub("", cell).split()) for cell in cells if cell.strip())
    return words if len(words) <= 80 else f"{words[:79]}…"
