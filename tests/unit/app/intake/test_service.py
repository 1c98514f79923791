"""Files from which nothing can be read are refused in plain words, before anything of them is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.intake.jobs import FILL, IMPORT
from app.intake.service import kind_of
from app.system import paths
from app.system.job_lanes import JobFinished
from app.workspace.engine import LocalEngine
from models.base.errors import InputError
from speech.errors import AudioError
from tests.kit import fake_models
from tests.kit.audio import noise, tone, write_audio
from tests.kit.fake_app import write_recording
from tests.kit.workbench import WorkbenchKit
from tests.unit.speech.test_audio import (
    empty,
    folder,
    half,
    header_only,
    not_audio,
    playlist,
    text_named_wav,
    video_only,
)


def cut_header(path: Path) -> Path:
    """The first bytes of a recording, as a copy that broke off leaves them."""
    path.write_bytes(write_audio(path.with_name("whole.wav"), tone(1.0)).read_bytes()[:30])
    return path


def bytes_named_txt(path: Path) -> Path:
    path = path.with_suffix(".txt")
    path.write_bytes(bytes(range(256)) * 40)
    return path


def empty_text(path: Path) -> Path:
    path = path.with_suffix(".txt")
    path.write_text(" \n")
    return path


def gone(path: Path) -> Path:
    return path


BAD: tuple[tuple[Callable[[Path], Path], str], ...] = (
    (not_audio, "morning.wav is not a recording"),
    (text_named_wav, "morning.wav is not a recording"),
    (cut_header, "morning.wav"),
    (playlist, "morning.wav is not a recording"),
    (video_only, "morning.mp4 contains no sound"),
    (header_only, "morning.wav is too short to contain speech"),
    (empty, "morning.wav is empty"),
    (folder, "morning.wav is a folder"),
    (gone, "morning.wav no longer exists"),
    (bytes_named_txt, "morning.txt is not a text file"),
    (empty_text, "morning.txt contains no text"),
)


@pytest.mark.parametrize(("make", "words"), BAD, ids=lambda it: it.__name__ if callable(it) else "")
def test_a_file_without_anything_to_read_is_refused_and_nothing_is_kept(
    kit: WorkbenchKit, tmp_path: Path, make: Callable[[Path], Path], words: str
) -> None:
    patient = kit.patient("Hawthorne", "12")
    path = make(tmp_path / "morning.wav")
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(InputError, match=f"^{words}") as refused:
        kit.result(kit.bench.intake.import_file(path, patient))
    assert refused.value.next_step
    assert kit.bench.workspace.store.dictations.all() == []
    assert list((paths.data_dir() / "recordings").iterdir()) == []
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert not [event for event in kit.events if event.job.kind == FILL]


def test_a_file_that_may_not_be_read_is_refused_in_plain_words(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_recording(tmp_path / "locked.wav")
    look = os.stat

    def refuse(name: object, *arguments: object, **named: object) -> os.stat_result:
        if str(name).endswith("locked.wav"):
            raise PermissionError(13, "Permission denied")
        return look(name, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(InputError, match=r"locked.wav cannot be read: Permission denied. Check its permissions"):
        kind_of(path)


@pytest.mark.parametrize("suffix", [".wav", ".ogg"])
def test_a_recording_that_breaks_off_is_kept(kit: WorkbenchKit, tmp_path: Path, suffix: str) -> None:
    dictation, job = kit.bring(half(write_audio(tmp_path / f"a{suffix}", noise(4.0))))
    kit.result(job)
    assert dictation.original_name == f"a{suffix}"
    assert [event for event in kit.events if isinstance(event, JobFinished) and event.job.kind == IMPORT]


# the real engine decodes in a process of its own


@pytest.mark.parametrize("make", [not_audio, video_only, header_only, cut_header])
def test_the_engine_refuses_what_holds_no_sound(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    with pytest.raises(AudioError, match=r"^morning"):
        LocalEngine().check_recording(make(tmp_path / "morning.wav"))


def test_the_engine_lets_recordings_pass(tmp_path: Path) -> None:
    LocalEngine().check_recording(write_audio(tmp_path / "a.mp3", tone(1.0)))


def test_a_file_that_kills_its_decoder_is_refused_and_nothing_else_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.workspace import file_check

    monkeypatch.setattr(file_check, "verify_recording", fake_models.die_reading)
    with pytest.raises(AudioError, match=r"a.wav cannot be read: it is badly damaged. Choose another copy"):
        file_check.refuse_no_recording(write_recording(tmp_path / "a.wav"))


def test_a_file_that_keeps_its_decoder_busy_for_ever_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.workspace import file_check

    monkeypatch.setattr(file_check, "verify_recording", fake_models.hang)
    monkeypatch.setattr(file_check, "LONGEST_SECONDS", 0.2)
    monkeypatch.setattr("models.process.worker._CANCEL_GRACE_SECONDS", 0.2)
    with pytest.raises(AudioError, match="could not be read within"):
        file_check.refuse_no_recording(write_recording(tmp_path / "a.wav"))


def test_the_window_s_process_never_loads_a_decoder(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "a.wav")
    code = (
        "import sys; from pathlib import Path; from app.workspace.engine import LocalEngine\n"
        "LocalEngine().check_recording(Path(sys.argv[1])); assert 'av' not in sys.modules, 'decoded here'"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], cwd=Path(__file__).parents[4], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
