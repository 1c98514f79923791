"""A recording's states, and what of it comes to the disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chart.records import Patient
from app.services.intake.recording import Recording, RecordingState
from models.base.errors import Cancelled, ResourceError
from speech import recording_journal
from tests.kit.audio import voice
from tests.unit.extraction.test_extractor import SCHEMA

ADA = Patient(5, "Hawthorne, Ada", "12", "")
SOUND = voice(1.0)


class Writer:
    """`Recording.write` on a thread of its own."""

    def __init__(self, recording: Recording) -> None:
        self.result: Path | BaseException | None = None
        self.closing = threading.Event()

        def write() -> None:
            try:
                self.result = recording.write(self.closing.is_set)
            except (Cancelled, ResourceError) as error:
                self.result = error

        self._thread = threading.Thread(target=write)
        self._thread.start()

    def end(self) -> Path | BaseException | None:
        self._thread.join(10)
        assert not self._thread.is_alive()
        return self.result


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return Recording(tmp_path, ADA, schema=SCHEMA, reviewer="R. Nurse")


@pytest.fixture
def writer(recording: Recording) -> Iterator[Writer]:
    writer = Writer(recording)
    yield writer
    writer.closing.set()
    writer.end()


def heard(folder: object) -> bytes:
    assert isinstance(folder, Path)
    return b"".join(recording_journal.blocks(recording_journal.read(folder)))


def test_what_was_taken_is_on_the_disk_with_its_patient(recording: Recording, writer: Writer) -> None:
    recording.take(SOUND[:6400])
    recording.take(SOUND[6400:])
    assert recording.seconds == 1.0
    assert recording.level.peak > -40
    recording.finish()
    assert recording.state is RecordingState.FINISHING
    folder = writer.end()
    assert heard(folder) == SOUND
    assert isinstance(folder, Path)
    head = recording_journal.read(folder).head
    assert (head.patient_id, head.bed, head.schema_id, head.reviewer) == (5, "12", "test", "R. Nurse")
    assert head.started_at.endswith("+00:00")


def test_a_pause_drops_sound_and_is_marked(recording: Recording, writer: Writer) -> None:
    recording.take(SOUND[:6400])
    recording.pause()
    recording.take(SOUND)
    assert (recording.state, recording.seconds) == (RecordingState.PAUSED, 0.2)
    recording.pause()
    recording.resume()
    recording.resume()
    recording.take(SOUND[6400:])
    recording.finish()
    folder = writer.end()
    assert heard(folder) == SOUND
    assert isinstance(folder, Path)
    assert [(mark.kind, mark.sample) for mark in recording_journal.read(folder).marks] == [
        ("pause", 3200),
        ("resume", 3200),
    ]


def test_after_the_end_no_sound_is_taken(recording: Recording, writer: Writer) -> None:
    recording.take(SOUND)
    recording.pause()
    recording.finish()
    recording.resume()
    recording.pause()
    recording.take(SOUND)
    recording.finish()
    assert recording.state is RecordingState.FINISHING
    assert heard(writer.end()) == SOUND


def test_sound_is_written_to_disk_before_the_end(recording: Recording, writer: Writer) -> None:
    recording.take(SOUND)
    for _ in range(100):
        if recording.folder and heard(recording.folder) == SOUND:
            break
        threading.Event().wait(0.02)
    else:
        pytest.fail("it is not there")


def test_the_end_of_the_program_keeps_everything(recording: Recording, writer: Writer) -> None:
    for start in range(0, len(SOUND), 320):
        recording.take(SOUND[start : start + 320])
    writer.closing.set()
    assert isinstance(writer.end(), Cancelled)
    assert heard(recording.folder) == SOUND


def test_a_disk_that_cannot_be_written_ends_it(tmp_path: Path) -> None:
    (tmp_path / "root").write_text("in the way")
    writer = Writer(Recording(tmp_path / "root", ADA, schema=SCHEMA, reviewer=""))
    assert isinstance(writer.end(), ResourceError)
