"""Listing, moving, renaming, deleting and restoring dictations on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.chart.records import ReviewStatus
from app.cli import main
from app.record.run import NO_RUN
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from tests.kit.store import TRANSCRIPT, filled, recorded
from tests.unit.app.cli.test_cli import FakeInference
from tests.unit.speech.test_audio import header_only, not_audio, text_named_wav


@pytest.fixture
def number(tmp_path: Path) -> int:
    """A dictation of Ann Lee with one confirmed value; Bo Hart is in bed 5, and another Bo Hart in bed 6.

    R. Nurse signs.
    """
    save_settings(Settings(reviewer="R. Nurse"), paths.config_file())
    with Store(paths.database_file()) as store:
        dictation = recorded(store, tmp_path)
        store.transcripts.save(dictation.id, TRANSCRIPT)
        store.runs.save(dictation.id, [filled("hr", 110.0)], NO_RUN)
        store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", "Kim")
        store.patients.add("Bo Hart", "5")
        store.patients.add("Bo Hart", "6")
    return dictation.id


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    return out + err


def test_dictations_are_listed_with_their_patient_and_state(capsys: pytest.CaptureFixture[str], number: int) -> None:
    line = told(capsys, "dictations").splitlines()[2]
    assert line.split()[0] == str(number)
    for words in ("Bed 4.WAV", "Ann Lee, MRN 123, bed 4", "filled"):
        assert words in line
    (one,) = json.loads(told(capsys, "dictations", "--json"))
    assert (one["dictation"], one["name"]) == (number, "Bed 4.WAV")


def test_a_dictation_is_moved_to_the_one_patient_that_is_named(capsys: pytest.CaptureFixture[str], number: int) -> None:
    assert "2 patients match: Bo Hart, bed 5; Bo Hart, bed 6" in told(
        capsys, "move", str(number), "--patient", "bo hart", code=2
    )
    assert "No patient matches 'Zoe'" in told(capsys, "move", str(number), "--patient", "Zoe", code=2)
    words = told(capsys, "move", str(number), "--patient", "Bo Hart", "--bed", "6", "--signed-by", "Lee")
    assert "from Ann Lee, MRN 123, bed 4 to Bo Hart, bed 6" in words
    assert "Decisions undone: 1" in words
    assert f"wardlight run --retry {number}" in words
    with Store(paths.database_file()) as store:
        (event,) = store.dictations.events(number)
        assert (event.action, event.reviewer, event.reason) == ("move", "Lee", "wrong patient")


def test_a_dictation_is_deleted_with_a_reason_and_restored(capsys: pytest.CaptureFixture[str], number: int) -> None:
    with pytest.raises(SystemExit):
        main(["delete", str(number)])
    assert "No reason" in told(capsys, "delete", str(number), "--reason", " ", code=2)
    assert "can be restored for 7 days" in told(capsys, "delete", str(number), "--reason", "duplicate")
    assert "There is no dictation yet" in told(capsys, "dictations")
    assert "was deleted by" in told(capsys, "export", str(number), "--out", "out", code=2)
    assert "Bed 4.WAV" in told(capsys, "dictations", "--deleted")
    assert "is restored" in told(capsys, "restore", str(number))
    assert "No dictation is deleted" in told(capsys, "dictations", "--deleted")
    with Store(paths.database_file()) as store:
        assert store.values.of(number)[0].status is ReviewStatus.CONFIRMED


def test_a_dictation_is_renamed(capsys: pytest.CaptureFixture[str], number: int) -> None:
    assert f"Dictation {number} is called Wound check" in told(capsys, "rename", str(number), "Wound check")
    assert "Wound check" in told(capsys, "dictations")


@pytest.mark.parametrize("make", [not_audio, text_named_wav, header_only])
def test_run_keeps_nothing_of_a_file_that_holds_no_sound(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    monkeypatch.setattr("app.cli.charting.extract.open_inference", FakeInference)
    path = make(tmp_path / "morning.wav")
    words = told(capsys, "run", str(path), "--out", str(tmp_path / "out"), code=2)
    assert "morning.wav is" in words
    with Store(paths.database_file()) as store:
        assert (store.dictations.all(), store.patients.all()) == ([], [])
    assert list((paths.data_dir() / "recordings").iterdir()) == []
