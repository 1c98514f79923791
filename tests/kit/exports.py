"""A small export of an invented record system, written into a folder."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

DICTIONARY = (
    ("PARAM_ID", "SHORT_NAME", "LABEL", "DATA_TYPE", "LIST_KEY", "UOM", "LOW_LIMIT", "HIGH_LIMIT", "STATUS",
     "CHANGED_BY"),
    ("70001", "HR", "Pulse rate", "Number", "", "bpm", "20", "250", "active", "N017"),
    ("70002", "TEMP", "Skin temperature", "Number", "", "°C", "30", "43", "active", "N017"),
    ("70003", "COLOUR", "Colour of the skin", "Pick list", "L10", "", "", "", "active", "N021"),
    ("70004", "SOUNDS", "Sounds of the lungs", "Pick list (multiple)", "L11", "", "", "", "active", "N021"),
    ("70005", "NOTE", "Remarks of the shift", "Free text", "", "", "", "", "active", "N017"),
    ("70006", "DRAIN", "Drainage volume", "Number", "", "mL", "0", "3000", "active", "N030"),
    ("70007", "DRAIN UNIT", "Drainage volume unit", "Pick list", "L12", "", "", "", "active", "N030"),
    ("70008", "GAIT", "Gait pattern", "", "", "", "", "", "active", "N030"),
    ("70009", "HR OLD", "Pulse rate", "Number", "", "bpm", "", "", "retired", "N017"),
    ("70010", "RASS", "Sedation level", "", "", "", "", "", "active", "N017"),
    ("70011", "CALLED", "Bell within reach", "Yes/No", "", "", "", "", "active", "N017"),
    ("70012", "ALT", "Former scale of mood", "Number", "", "", "", "", "retired", "N017"),
)  # fmt: skip
OPTIONS = (
    ("LIST_KEY", "SEQ", "CODE", "CHOICE", "ACTIVE"),
    ("L10", "1", "P", "Pink", "Y"),
    ("L10", "2", "W", "Pale", "Y"),
    ("L10", "3", "B", "Bluish", "Y"),
    ("L10", "4", "W", "Wan", "N"),
    ("L11", "1", "CL", "Clear", "Y"),
    ("L11", "2", "WH", "Wheezes", "Y"),
    ("L11", "3", "CR", "Crackles", "Y"),
    ("L12", "1", "ML", "mL", "Y"),
    ("L12", "2", "LI", "L", "Y"),
)
GROUPS = (
    ("SHEET_NAME", "SECTION_NAME", "SEQ", "PARAM_ID"),
    ("Adult ward", "Vital signs", "1", "70001"),
    ("Adult ward", "Vital signs", "2", "70002"),
    ("Adult ward", "Skin", "1", "70003"),
    ("Adult ward", "Breathing", "1", "70004"),
    ("Adult ward", "Drains", "1", "70006"),
    ("Adult ward", "Drains", "2", "70007"),
    ("Surgery", "Drains", "1", "70006"),
    ("Adult ward", "Mobility", "1", "70008"),
)
MAPPING = (
    ("OLD_PARAM_ID", "PARAM_ID"),
    ("V-11", "70001"),
    ("V-12", "70002"),
    ("V-13", "70003"),
    ("V-14", "70004"),
    ("V-15", "70006"),
)
SENTENCE = "She told her daughter that she wants to go home on Friday."


def charted() -> list[Sequence[str]]:
    """Charted values of thirty invented patients, the same at each call."""
    chance = random.Random(7)
    lines: list[Sequence[str]] = [
        ("ENTRY_ID", "PATIENT_NO", "VISIT_NO", "CHARTED_AT", "STORED_AT", "PARAM_ID", "RESULT", "NURSE")
    ]
    number = 500_000
    for patient in range(30):
        values = [
            ("70001", str(chance.randint(55, 110))),
            ("V-11" if patient % 9 == 0 else "70001", str(chance.randint(55, 110))),
            ("70002", f"{chance.uniform(35, 39):.1f}"),
            ("70003", chance.choice(("P", "W", "B"))),
            ("70004", "Wheezes; Crackles" if patient % 4 == 0 else "Clear"),
            ("70006", f"{chance.randint(10, 400)} mL" if patient % 7 == 0 else str(chance.randint(10, 400))),
            ("70007", "mL"),
            ("70008", chance.choice(("steady", "Steady", "unsteady", "shuffling"))),
            ("70010", str(chance.randint(-4, 2))),
            ("70011", "NULL" if patient % 5 == 0 else chance.choice(("Yes", "No"))),
        ]  # fmt: skip
        if patient == 3:
            values += [("70008", SENTENCE), ("79999", "5")]
        for param, value in values:
            number += 1
            at = f"2026-02-{1 + patient % 27:02} {chance.randint(0, 23):02}:{chance.randint(0, 59):02}"
            lines.append(
                (
                    str(number),
                    f"P{3000 + patient}",
                    f"E{81000 + patient}",
                    at,
                    at,
                    param,
                    value,
                    f"N{chance.randint(10, 40):03}",
                )
            )
    return lines


def write_table(path: Path, lines: Sequence[Sequence[str]], encoding: str = "utf-8", delimiter: str = ",") -> None:
    with path.open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream, delimiter=delimiter).writerows(lines)


def write_exports(folder: Path, **replaced: Sequence[Sequence[str]]) -> Path:
    """Writes the export; a table is left out or replaced by its name: dictionary, options, groups, mapping, values."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {"dictionary": DICTIONARY, "options": OPTIONS, "groups": GROUPS, "mapping": MAPPING, "values": charted()}
    for name, lines in (tables | replaced).items():
        if lines:
            encoding, delimiter = ("cp1252", ";") if name == "dictionary" else ("utf-8", ",")
            write_table(folder / f"{name}.csv", lines, encoding, delimiter)
    return folder
