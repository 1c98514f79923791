"""A small hospital's exports: rows in CSV, their options in a workbook, and charted values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

ROWS = (
    # id, name, type, list, unit, lowest, highest
    ("hr", "Heart rate", "Numeric", "", "/min", "20", "250"),
    ("rr", "Respiratory rate", "Numeric", "", "/min", "4", "60"),
    ("spo2", "Oxygen saturation", "Numeric", "", "%", "50", "100"),
    ("temp", "Temperature", "Numeric", "", "Cel", "30", "43"),
    ("pain", "Pain score", "Numeric", "", "", "0", "10"),
    ("device", "Oxygen device", "Custom List", "501", "", "", ""),
    ("rhythm", "Heart rhythm", "Custom List", "502", "", "", ""),
    ("diet", "Diet", "Custom List", "503", "", "", ""),
    ("cough", "Cough", "Custom List", "504", "", "", ""),
    ("edema", "Edema", "Custom List", "505", "", "", ""),
    ("skin", "Skin", "String", "", "", "", ""),
    ("visitors", "Visitors present", "", "", "", "", ""),
    ("belongings", "Belongings", "", "", "", "", ""),
)
OPTIONS = (
    ("501", "Choices: oxygen device", ("Room air", "Nasal cannula", "Simple mask")),
    ("502", "Choices: heart rhythm", ("Regular", "Irregular", "Paced")),
    ("503", "Choices: diet", ("Regular diet", "Soft diet", "Nothing by mouth")),
    ("504", "Choices: cough", ("None", "Dry", "Productive")),
    ("505", "Choices: edema", ("None", "Trace", "Pitting")),
)
GROUPS = {"hr": "Vital signs", "rr": "Vital signs", "spo2": "Vital signs", "temp": "Vital signs"}


def write_exports(folder: Path, rows: Sequence[tuple[str, ...]] = ROWS, *, shifts: int = 1) -> Path:
    """Writes rows, options and charted values of so many shifts into a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder, rows)
    _write_options(folder / "custom_lists.xlsx")
    _write_values(folder / "charted_values.csv", rows, shifts)
    return folder


def write_rows(folder: Path, rows: Sequence[tuple[str, ...]]) -> None:
    """Writes the list of the rows."""
    lines = ["ROW_ID,ROW_NAME,VALUE_TYPE,CUSTOM_LIST_ID,UNITS,MIN_VALUE,MAX_VALUE,ROW_GROUP,ACTIVE_YN"]
    for row in rows:
        group = GROUPS.get(row[0], "Assessment")
        lines.append(",".join((*row, group, "Y")))
    (folder / "flowsheet_rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_options(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    lists, options = book.active, book.create_sheet("Options")
    lists.title = "Lists"
    lists.append(["LIST_ID", "LIST_NAME"])
    options.append(["LIST_ID", "LINE", "CODE", "OPTION_TEXT"])
    for number, name, choices in OPTIONS:
        lists.append([number, name])
        for place, choice in enumerate(choices, 1):
            options.append([number, place, f"{number}-{place}", choice])
    book.save(path)


VALUES: Mapping[str, Sequence[str]] = {
    "hr": ("72", "88", "101", "64"),
    "rr": ("14", "18", "22", "16"),
    "spo2": ("98", "95", "92", "97"),
    "temp": ("36.8", "37.4", "38.1", "36.5"),
    "pain": ("0", "3", "6", "2"),
    "device": ("Room air", "Nasal cannula", "Room air", "Simple mask"),
    "rhythm": ("Regular", "Irregular", "Regular", "Paced"),
    "diet": ("Regular diet", "Soft diet", "Soft diet", "Regular diet"),
    "cough": ("None", "Dry", "Productive", "None"),
    "edema": ("None", "Trace", "None", "Pitting"),
    "skin": ("warm and dry", "intact", "red over the heel", "pale"),
}


def _write_values(path: Path, rows: Sequence[tuple[str, ...]], shifts: int) -> None:
    lines = ["PAT_ID,PAT_NAME,ROW_ID,MEAS_VALUE,TAKEN_TIME,ENTRY_USER"]
    number = 0
    for row in rows:
        for value in (*VALUES.get(row[0], ()),) * shifts:
            number += 1
            person, name = f"Z{1000 + number % 3}", ("Marsh", "Osei", "Lind")[number % 3]
            lines.append(
                f"{person},{name},{row[0]},{value},2026-03-{1 + number % 28:02d} 08:{number % 60:02d},NURSE{number % 2}"
            )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
