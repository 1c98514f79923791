"""What a contract keeps of charted values: figures of many patients, and nothing of a single one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from extraction.contract.build import build_contract
from extraction.contract.history.counting import with_history
from extraction.contract.records import ContractOption, ContractRow
from extraction.contract.row_history import ChartedTotals, Companion, RowHistory
from extraction.contract.rows.charted import ChartedValues
from extraction.contract.rows.entries import Entries
from extraction.contract.sources.discovery import find_sources
from tests.kit.exports import charted, write_exports

SKIN = (ContractOption("Warm", "W"), ContractOption("Cool", "C"), ContractOption("Mottled", "M"))
SOUNDS = (ContractOption("Clear"), ContractOption("Wheezes"), ContractOption("Crackles"))
ROWS = (
    ContractRow("1", "Pulse rate", "numeric", unit="/min"),
    ContractRow("2", "Blood pressure", "blood_pressure", unit="mmHg"),
    ContractRow("3", "Skin", "single_select", options=SKIN),
    ContractRow("4", "Sounds", "multi_select", options=SOUNDS),
    ContractRow("5", "Remarks", "text"),
    ContractRow("6", "Drain", "numeric", unit="mL", ucum="mL"),
    ContractRow("7", "Bell in reach", "yes_no"),
)
Line = tuple[str, str, str, str, str, str]


def line(patient: int, at: str, row: str, value: str, unit: str = "") -> Line:
    return (f"P{patient}", f"V{patient}", at, row, value, unit)


def counted(lines: Sequence[Line]) -> tuple[dict[str, RowHistory], ChartedTotals | None]:
    """The histories that are kept, by row, and what was charted in all."""
    entries, values = Entries(), {row.id: ChartedValues() for row in ROWS}
    for patient, stay, at, row, value, unit in lines:
        entries.add("values.csv", row, patient, stay, at, "", value, unit)
        values[row].add(value, patient)
    rows, totals = with_history(ROWS, entries, values)
    return {row.id: row.history for row in rows if row.history}, totals


def spread(history: RowHistory) -> list[tuple[int, float, float]]:
    return [(one.count, one.lowest, one.highest) for one in history.numbers]


def shift(patients: int = 6, day: int = 2) -> list[Line]:
    """What is charted of some patients in a day shift and the first hour of a night shift."""
    lines = []
    for patient in range(patients):
        for number, hour in enumerate((8, 12, 20)):
            at = f"2026-03-{day:02} {hour:02}:0{patient}"
            lines.append(line(patient, at, "1", str(70 + 2 * patient + number)))
            lines.append(line(patient, at, "2", f"{110 + patient}/{60 + number}"))
        lines.append(line(patient, f"2026-03-{day:02} 08:0{patient}", "3", "WC"[patient % 2]))
        lines.append(line(patient, f"2026-03-{day:02} 09:30", "4", "Wheezes; Crackles" if patient % 2 else "Clear"))
        lines.append(line(patient, f"2026-03-{day:02} 09:40", "7", "Y"))
    return lines


def test_how_often_and_how_long_apart() -> None:
    lines = [*shift(6), line(7, "2026-03-04 10:00", "5", "Slept well"), line(7, "2026-03-05 10:00", "5", "Slept")]
    kept, totals = counted(lines)
    assert totals == ChartedTotals(56, 7, 7, 8, 14, "2026-03", "2026-03")
    pulse = kept["1"]
    assert (pulse.count, pulse.patients) == (18, 6)
    assert (pulse.stays, pulse.days, pulse.shifts) == (round(6 / 7, 4), round(6 / 8, 4), round(12 / 14, 4))
    assert (pulse.interval, pulse.long_interval, pulse.last) == (240, 480, "2026-03")
    assert kept["3"].interval is None  # once for each patient
    assert "5" not in kept


def test_rows_of_the_same_minute_are_together() -> None:
    kept, _ = counted(shift(6))
    assert kept["1"].together == (Companion("2", 1.0), Companion("3", round(1 / 3, 4)))
    assert kept["3"].together == (Companion("1", 1.0), Companion("2", 1.0))
    assert kept["4"].together == ()


def test_numbers_are_spread_between_extremes_that_many_patients_share() -> None:
    lines = [
        line(patient, f"2026-03-{1 + number:02} 08:00", "1", str(60 + number))
        for patient in range(10)
        for number in range(20)
    ]
    lines += [line(1, "2026-03-25 08:00", "1", "222"), line(2, "2026-03-25 08:00", "1", "7")]
    kept, _ = counted(lines)
    assert spread(kept["1"]) == [(202, 60, 79)]
    assert dict(kept["1"].numbers[0].quantiles) == {0.05: 60, 0.25: 64, 0.5: 69, 0.75: 75, 0.95: 79}


def test_both_numbers_of_a_blood_pressure() -> None:
    kept, _ = counted(shift(6))
    assert spread(kept["2"]) == [(18, 112, 113), (18, 60, 62)]


def test_numbers_in_another_unit_are_left_out() -> None:
    lines = [
        line(patient, f"2026-03-{day:02} 08:00", "6", value, unit)
        for patient in range(6)
        for day, (value, unit) in enumerate((("100", "ml"), ("120 mL", ""), ("110", ""), ("2", "L"), ("3 L", "")), 1)
    ]
    kept, _ = counted(lines)
    assert spread(kept["6"]) == [(18, 100, 120)]


def test_options_by_their_names_and_codes() -> None:
    kept, _ = counted([*shift(6), *shift(6, 3), *shift(6, 4)])
    assert {one.name: one.count for one in kept["3"].options} == {"Warm": 9, "Cool": 9}
    assert {one.name: one.count for one in kept["4"].options} == {"Clear": 9, "Crackles": 9, "Wheezes": 9}
    assert {one.name: one.count for one in kept["7"].options} == {"yes": 18}


def test_what_few_patients_have_is_kept_nowhere() -> None:
    lines = [
        *[one for day in range(2, 5) for one in shift(6, day)],
        *[line(0, f"2026-03-{day:02} 05:00", "1", "187.25") for day in range(2, 9)],  # one patient, often
        *[line(patient, f"2026-0{4 + patient}-02 05:00", "3", "M") for patient in (0, 1) for _ in range(4)],  # two
        *[line(patient, "2026-03-02 05:00", "6", "431.75") for patient in range(4)],  # four values
        *[line(patient, f"2026-03-0{1 + day} 05:00", "6", "9") for patient in (4,) for day in range(3)],
    ]
    kept, _ = counted(lines[:-3])
    assert "187.25" not in repr(kept)
    assert "Mottled" not in repr(kept)
    assert "6" not in kept
    assert kept["3"].last == "2026-03"  # the later months are those of two patients
    kept, _ = counted(lines)
    assert kept["6"].count == 7
    assert kept["6"].numbers == ()  # no number has five values at or below it and five at or above it


def test_what_a_dump_does_not_say_is_not_made_up() -> None:
    nobody = [("", "", at, row, value, unit) for _, _, at, row, value, unit in shift(6)]
    assert counted(nobody) == ({}, None)  # one patient, for all that is known
    kept, totals = counted([(patient, "", "", row, value, unit) for patient, _, _, row, value, unit in shift(6)])
    pulse = kept["1"]
    assert (pulse.stays, pulse.days, pulse.shifts, pulse.interval, pulse.last) == (1.0, None, None, None, "")
    assert spread(pulse) == [(18, 74, 78)]
    assert pulse.together == ()
    assert totals == ChartedTotals(54, 6, 6, 0, 0)


def test_the_day_and_the_time_may_stand_apart(tmp_path: Path) -> None:
    head, *lines = charted()
    at = head.index("CHARTED_AT")
    apart = [(*one[:at], *one[at].split(), *one[at + 1 :]) for one in lines]
    names = (*head[:at], "CHARTED_ON", "CHARTED_TIME", *head[at + 1 :])
    folder = write_exports(tmp_path, values=[names, *apart])
    totals = build_contract(find_sources(folder), "").contract.charted
    assert totals == build_contract(find_sources(write_exports(tmp_path / "joined")), "").contract.charted
    assert totals
    assert totals.shifts > totals.days > 0


def test_the_document_is_the_same_in_every_process(tmp_path: Path) -> None:
    folder = write_exports(tmp_path)
    assert any(row.history and row.history.numbers for row in build_contract(find_sources(folder), "").contract.rows)
    script = (
        "import hashlib, sys; from pathlib import Path;"
        "from extraction.contract.build import build_contract;"
        "from extraction.contract.document import contract_bytes;"
        "from extraction.contract.sources.discovery import find_sources;"
        "made = build_contract(find_sources(Path(sys.argv[1])), '2026-04-01T00:00:00Z').contract;"
        "print(hashlib.sha256(contract_bytes(made)).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script, str(folder)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
