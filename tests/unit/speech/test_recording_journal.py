"""A recording survives a cut at any byte, a full disk and an unwritable folder."""

from __future__ import annotations

import os
import resource
import signal
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from models.base.errors import InputError, ResourceError
from speech import recording_journal
from speech.audio import SAMPLE_RATE
from speech.recording_journal import Head, Journal, Kept, Mark

HEAD = Head("2026-03-04T05:06:07+00:00", 7, "12", "test-ward", "R. Nurse")


def sound(seconds: float) -> bytes:
    return b"".join((place % 20_000).to_bytes(2, "little") for place in range(int(seconds * SAMPLE_RATE)))


def heard(kept: Kept) -> bytes:
    return b"".join(recording_journal.blocks(kept))


def written(root: Path, pcm: bytes) -> Path:
    with Journal(root, HEAD) as opened:
        opened.append(pcm)
    return opened.folder


def test_a_recording_and_its_pauses_are_stored(tmp_path: Path) -> None:
    pcm = sound(1.0)
    with Journal(tmp_path / "new" / "root", HEAD) as opened:
        opened.append(pcm[:8000])
        opened.mark("pause")
        opened.mark("resume")
        opened.append(pcm[8000:])
    kept = recording_journal.read(opened.folder)
    assert kept.head == HEAD
    assert (kept.seconds, heard(kept)) == (1.0, pcm)
    assert [(mark.kind, mark.sample) for mark in kept.marks] == [("pause", 4000), ("resume", 4000)]


@pytest.mark.parametrize(
    ("marks", "ended"),
    [
        ((), "05:06:08.500"),
        ((Mark("pause", 24000, "2026-03-04T05:10:00+00:00"),), "05:10:00.000"),
        (
            (Mark("pause", 16000, "2026-03-04T05:10:00+00:00"), Mark("resume", 16000, "2026-03-04T06:00:00+00:00")),
            "06:00:00.500",
        ),
    ],
)
def test_the_end_of_the_recording_is_known(tmp_path: Path, marks: tuple[Mark, ...], ended: str) -> None:
    kept = Kept(tmp_path, HEAD, 24000, marks)
    assert kept.ended_at.isoformat(timespec="milliseconds") == f"2026-03-04T{ended}+00:00"


def test_a_finished_recording_keeps_its_pauses(tmp_path: Path) -> None:
    with Journal(tmp_path, HEAD) as opened:
        opened.append(sound(0.5))
        opened.mark("pause")
    before = recording_journal.read(opened.folder)
    recording_journal.finish(opened.folder)
    assert recording_journal.read(opened.folder).ended_at == before.ended_at


def test_the_head_is_readable_without_this_program(tmp_path: Path) -> None:
    head = (written(tmp_path, b"") / "head.json").read_text(encoding="utf-8")
    for said in ('"sample_rate": 16000', '"channels": 1', '"sample_format": "int16"', '"patient_id": 7', '"bed": "12"'):
        assert said in head


def test_only_the_current_user_can_read_a_recording(tmp_path: Path) -> None:
    folder = written(tmp_path / "root", sound(0.2))
    recording_journal.finish(folder)
    assert folder.stat().st_mode & 0o077 == 0
    assert {path.name: path.stat().st_mode & 0o077 for path in folder.iterdir()} == {
        "head.json": 0,
        "marks.jsonl": 0,
        f"{folder.name}.wav": 0,
    }


def test_finishing_replaces_the_samples_by_a_wave_file(tmp_path: Path) -> None:
    pcm = sound(0.7)
    folder = written(tmp_path, pcm + b"\x01")  # half a sample at the end
    path = recording_journal.finish(folder)
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
        assert file.readframes(file.getnframes()) == pcm
    assert sorted(item.name for item in folder.iterdir()) == ["head.json", "marks.jsonl", path.name]
    assert recording_journal.finish(folder) == path
    assert [kept.seconds for kept in recording_journal.unfinished(tmp_path)] == [0.7]
    recording_journal.discard(folder)
    assert recording_journal.unfinished(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
    recording_journal.discard(folder)  # it is gone already


def test_a_crash_after_writing_the_wave_file_changes_nothing(tmp_path: Path) -> None:
    folder = written(tmp_path, sound(0.7))
    recording_journal.finish(folder)
    (folder / "sound.pcm").write_bytes(b"\0\0")
    assert recording_journal.read(folder).seconds == 0.7
    assert recording_journal.finish(folder).exists()
    assert not (folder / "sound.pcm").exists()


def test_an_empty_recording_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Nothing was recorded"):
        recording_journal.finish(written(tmp_path, sound(0.05)))


def test_two_recordings_in_one_second_have_separate_folders(tmp_path: Path) -> None:
    assert written(tmp_path, b"") != written(tmp_path, b"")
    assert len(recording_journal.unfinished(tmp_path)) == 2


@pytest.mark.parametrize("head", [None, b"", b"{", b"[]", b'{"format": "wardlight-recording/2"}', b'"text"'])
def test_a_folder_of_another_version_is_left_alone(tmp_path: Path, head: bytes | None) -> None:
    folder = written(tmp_path, sound(0.2))
    (folder / "head.json").unlink()
    if head is not None:
        (folder / "head.json").write_bytes(head)
    assert recording_journal.unfinished(tmp_path) == []
    with pytest.raises(InputError, match="no recording"):
        recording_journal.read(folder)
    assert (folder / "sound.pcm").stat().st_size == 6400


def test_a_missing_folder_means_no_recordings(tmp_path: Path) -> None:
    assert recording_journal.unfinished(tmp_path / "none") == []


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limits the size of files to `size` bytes, like a full disk."""
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, former[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_full_disk_is_reported_and_keeps_what_was_written(tmp_path: Path) -> None:
    pcm = sound(2.0)
    with Journal(tmp_path, HEAD) as opened:
        opened.append(pcm[:20_000])
        with largest_file(30_001), pytest.raises(ResourceError, match=r"(?s)cannot be written.*is kept") as caught:
            opened.append(pcm[20_000:])
        assert caught.value.retryable
    kept = recording_journal.read(opened.folder)
    assert heard(kept) == pcm[:30_000]  # the last byte is half a sample
    with largest_file(20_000), pytest.raises(ResourceError):
        recording_journal.finish(opened.folder)
    assert heard(recording_journal.read(opened.folder)) == pcm[:30_000]
    assert recording_journal.finish(opened.folder).exists()  # once there is space again


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ResourceError, match="Permission denied"):
        Journal(tmp_path / "root", HEAD)


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "root").write_text("")
    with pytest.raises(ResourceError, match="cannot be written"):
        Journal(tmp_path / "root", HEAD)


def test_sound_reaches_the_disk_twice_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, synced = [0.0], []
    monkeypatch.setattr(recording_journal.time, "monotonic", lambda: now[0])
    opened = Journal(tmp_path, HEAD)
    with monkeypatch.context() as patch, opened:
        patch.setattr(recording_journal.os, "fsync", lambda _: synced.append(now[0]))
        for _ in range(100):
            now[0] += 0.05
            opened.append(bytes(1600))
        assert max(later - former for former, later in zip([0.0, *synced], synced, strict=False)) <= 0.5
        assert 8 <= len(synced) <= 20
