"""Patients on the command line: listed, added, edited, discharged, readmitted, and imported from a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.system import paths
from app.system.settings import Settings, save_settings


@pytest.fixture(autouse=True)
def somebody_signs() -> None:
    save_settings(Settings(reviewer="R. Nurse"), paths.config_file())


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any, str]:
    code = main(["patients", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else None, said.err + said.out


def test_a_patient_is_added_edited_discharged_and_readmitted(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, told = run(capsys, "add", "Novak, Anna", "--bed", "14B")
    assert code == 2
    assert "no second identifier" in told
    code, _, told = run(capsys, "add", "Novak, Anna", "--born", "03/02/1950")
    assert code == 2
    assert "1950-02-03 or 1950-03-02" in told
    code, anna, _ = run(capsys, "add", "Novak, Anna", "--bed", "14B", "--born", "3 Feb 1950", "--mrn", "7")
    assert (code, anna["birth_date"]) == (0, "1950-02-03")
    code, _, told = run(capsys, "add", "Nowak, Hanna", "--mrn", "7")
    assert code == 2
    assert "Novak, Anna" in told
    number = anna["patient"]
    assert run(capsys, "edit", number, "--bed", "3")[1]["bed"] == "3"
    assert run(capsys, "discharge", number)[1]["discharged_at"]
    assert run(capsys)[1] == []
    assert [one["name"] for one in run(capsys, "--discharged")[1]] == ["Novak, Anna"]
    assert run(capsys, "readmit", number, "--bed", "5")[1]["bed"] == "5"
    assert main(["patients"]) == 0
    assert "1950-02-03" in capsys.readouterr().out


def test_a_list_is_shown_first_and_imported_whole(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gone = run(capsys, "add", "Gone, Ida", "--mrn", "9", "--bed", "1")[1]["patient"]
    file = tmp_path / "ward.csv"
    file.write_text("Name,MRN,DOB,Bed\nNovak Anna,7,03/02/1950,1\nOkafor Ben,8,,2\n,5,,3\n", encoding="utf-8")
    code, shown, _ = run(capsys, "import", file, "--dates", "day-first")
    assert (code, shown["imported"], shown["not_in_list"]) == (0, False, [gone])
    assert [one["line"] for one in shown["left_out"]] == [2, 4]
    assert len(run(capsys)[1]) == 1
    code, done, _ = run(capsys, "import", file, "--dates", "day-first", "--discharge", gone, "--yes")
    assert (code, done["imported"], [one["line"] for one in done["left_out"]]) == (0, True, [4])
    present = run(capsys)[1]
    assert [(one["name"], one["birth_date"], one["bed"]) for one in present] == [
        ("Novak Anna", "1950-02-03", "1"), ("Okafor Ben", "", "2"),
    ]  # fmt: skip
