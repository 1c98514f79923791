"""A file that is opened is charted when it was recorded, as far as the file tells."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue

import av
import numpy as np
import pytest

from app.chart.recording_time import ENTERED, FROM_DATE, FROM_FILE, FROM_NAME, file_time
from app.cli import main
from app.services.engine.job_lanes import JobEvent
from app.services.workbench import Workbench
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from models.base.errors import InputError
from speech.audio import made_at
from tests.kit.fake_app import FakeEngine, write_recording, write_schema
from tests.kit.store import recorded

NOW = datetime(2026, 11, 23, 18, 0).astimezone()  # names of files have the time of this computer
WAIT = 60


def dated(path: Path, at: datetime) -> Path:
    path.touch()
    os.utime(path, (at.timestamp(), at.timestamp()))
    return path


@pytest.mark.parametrize(
    "name",
    ["2026-11-23 14.05.33", "20261123_140533", "REC-2026-11-23T14-05", "ward 20261123-1405 bed 4", "2026.11.23 14:05"],
)
def test_a_date_and_time_in_the_name_is_when_it_was_recorded(tmp_path: Path, name: str) -> None:
    found = file_time(dated(tmp_path / f"{name.replace(':', '')}.wav", NOW), None, NOW)
    assert found
    assert found.source == FROM_NAME
    assert found.at.astimezone().strftime("%Y-%m-%d %H:%M") == "2026-11-23 14:05"


def test_the_recorders_time_precedes_file_name_and_file_date(tmp_path: Path) -> None:
    path = dated(tmp_path / "20261123_140533.wav", NOW - timedelta(hours=1))
    said = NOW - timedelta(hours=2)
    first, last = file_time(path, said, NOW), file_time(dated(tmp_path / "a.wav", NOW - timedelta(hours=1)), None, NOW)
    assert first
    assert (first.at, first.source) == (said, FROM_FILE)
    assert last
    assert (last.at, last.source) == (NOW - timedelta(hours=1), FROM_DATE)


@pytest.mark.parametrize("off", [timedelta(hours=1), -timedelta(days=8)])
def test_a_time_that_cannot_be_is_not_taken(tmp_path: Path, off: timedelta) -> None:
    assert file_time(dated(tmp_path / "a.wav", NOW + off), NOW + off, NOW) is None


@pytest.mark.parametrize("name", ["20261341_990000", "call 5551234567890123", "note 2026-11-31 25.00"])
def test_numbers_that_are_no_time_are_none(tmp_path: Path, name: str) -> None:
    found = file_time(dated(tmp_path / f"{name}.wav", NOW), None, NOW)
    assert found
    assert found.source == FROM_DATE


def test_the_time_that_a_container_keeps_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.m4a"
    with av.open(str(path), "w") as out:
        out.metadata["creation_time"] = "2026-11-23T14:05:33.000000Z"
        stream = out.add_stream("aac", rate=16000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 16000), dtype=np.float32), format="fltp", layout="mono")
        frame.sample_rate = 16000
        for packet in (*stream.encode(frame), *stream.encode(None)):
            out.mux(packet)
    assert made_at(path) == datetime(2026, 11, 23, 14, 5, 33, tzinfo=UTC)
    assert made_at(write_recording(tmp_path / "plain.wav")) is None


def test_two_files_that_are_opened_together_stand_at_their_own_times(tmp_path: Path) -> None:
    save_settings(Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse"), paths.config_file())
    events: SimpleQueue[JobEvent] = SimpleQueue()
    bench = Workbench(events.put, engine=FakeEngine())
    with closing(bench):
        assert bench.open().wait(WAIT)
        patient = bench.workspace.store.patients.add("Ada Hawthorne", "12", "004711")
        now = datetime.now(UTC)
        times = [now - timedelta(hours=3), now - timedelta(hours=1)]
        for number, at in enumerate(times):
            path = write_recording(tmp_path / f"{'ab'[number]}.wav")
            os.utime(path, (at.timestamp(), at.timestamp()))
            assert bench.intake.import_file(path, patient).wait(WAIT)
        for job in bench.jobs:
            assert job.wait(WAIT)
        kept = sorted(bench.workspace.store.dictations.all(), key=lambda one: one.id)
        assert [datetime.fromisoformat(one.created_at) for one in kept] == pytest.approx(
            times, abs=timedelta(seconds=1)
        )
        assert [one.time_source for one in kept] == [FROM_DATE, FROM_DATE]
        for one in kept:
            rest = bench.sheets.read(one.id)
            first = next(value.id for value in rest.values if value.row_id == "hr")
            assert bench.review.decide(rest, [first], "confirm").wait(WAIT)
        assert [bench.sheets.read(one.id).conflicts for one in kept] == [{}, {}]


def test_a_changed_time_is_on_record_moves_the_values_and_shows_new_conflicts(tmp_path: Path) -> None:
    save_settings(Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse"), paths.config_file())
    events: SimpleQueue[JobEvent] = SimpleQueue()
    bench = Workbench(events.put, engine=FakeEngine())
    with closing(bench):
        assert bench.open().wait(WAIT)
        store = bench.workspace.store
        patient = store.patients.add("Ada Hawthorne", "12", "004711")
        now = datetime.now(UTC).replace(second=0, microsecond=0)
        texts = ("Heart rate 112 and regular.", "Heart rate is 112.")
        numbers = []
        for name, text, at in zip("ab", texts, (now - timedelta(hours=3), now - timedelta(hours=1)), strict=True):
            path = tmp_path / f"{name}.txt"
            path.write_text(text, encoding="utf-8")
            os.utime(path, (at.timestamp(), at.timestamp()))
            job = bench.intake.import_file(path, patient)
            assert job.wait(WAIT)
            numbers.append(store.dictations.all()[0].id)
        for job in bench.jobs:
            assert job.wait(WAIT)
        later = numbers[1]
        assert bench.dictations.change_time(later, now - timedelta(hours=3)).wait(WAIT)
        for job in bench.jobs:
            assert job.wait(WAIT)
        changed = store.dictations.one(later)
        assert changed.time_source == ENTERED
        (change,) = store.dictations.times(later)
        assert change.reviewer == "R. Nurse"
        assert datetime.fromisoformat(change.former) == now - timedelta(hours=1)
        assert datetime.fromisoformat(change.made_at) == now - timedelta(hours=3)


def test_a_time_to_come_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite") as store:
        number = recorded(store, tmp_path).id
        with pytest.raises(InputError, match="in the future"):
            store.dictations.change_time(number, datetime.now(UTC) + timedelta(hours=1), "R. Nurse")


def test_a_command_names_when_a_file_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "x.wav", "--out", "y", "--recorded-at", "yesterday"])
    assert "not a date and time" in capsys.readouterr().err
