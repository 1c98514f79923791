"""Decoding: every common container, and every way in which a file is not a recording."""

from __future__ import annotations

import os
import socket
import wave
from pathlib import Path

import numpy as np
import pytest

from speech import audio
from speech.audio import SAMPLE_RATE, RecordedSound, decode, probe
from speech.errors import AudioError
from tests.kit.audio import CODECS, noise, silence, tone, write_audio


def pitch(samples: np.ndarray) -> float:
    """The strongest frequency in Hz."""
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)[spectrum.argmax()])


@pytest.mark.parametrize("suffix", CODECS)
def test_every_container_decodes_to_16_khz_mono(tmp_path: Path, suffix: str) -> None:
    path = write_audio(tmp_path / f"a{suffix}", tone(1.5, 48_000), 48_000)
    samples = decode(path)
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert len(samples) / SAMPLE_RATE == pytest.approx(1.5, abs=0.1)
    assert pitch(samples) == pytest.approx(440, abs=2)
    assert 0.4 < np.abs(samples).max() < 0.6


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 44_100])
@pytest.mark.parametrize("channels", [1, 2])
def test_every_rate_and_stereo_keep_pitch_and_length(tmp_path: Path, rate: int, channels: int) -> None:
    samples = decode(write_audio(tmp_path / "a.wav", tone(1.0, rate), rate, channels))
    assert len(samples) / SAMPLE_RATE == pytest.approx(1.0, abs=0.01)
    assert pitch(samples) == pytest.approx(440, abs=2)


def test_probe_reads_the_files_metadata(tmp_path: Path) -> None:
    info = probe(write_audio(tmp_path / "a.wav", tone(2.0, 8_000), 8_000, 2))
    assert (info.duration, info.sample_rate, info.channels, info.codec) == (2.0, 8_000, 2, "pcm_s16le")


def test_blocks_have_the_requested_size_and_lose_nothing(tmp_path: Path) -> None:
    path = write_audio(tmp_path / "a.flac", noise(2.3))
    recording = RecordedSound(path)
    blocks = list(recording.blocks(0.5))
    assert [len(block) for block in blocks] == [8000, 8000, 8000, 8000, 4800]
    assert np.array_equal(np.concatenate(blocks), decode(path))
    assert recording.seconds == pytest.approx(2.3)
    assert not recording.damaged


def half(path: Path) -> Path:
    """Cuts a file in half, as a full disk or an empty battery does."""
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".mp3", ".webm"])
def test_half_of_a_truncated_recording_is_kept_and_reported(tmp_path: Path, suffix: str) -> None:
    recording = RecordedSound(half(write_audio(tmp_path / f"a{suffix}", noise(6.0))))
    seconds = sum(len(block) for block in recording.blocks(1.0)) / SAMPLE_RATE
    assert 2.0 < seconds < 4.0
    assert recording.damaged


def test_a_wave_written_to_a_pipe_is_not_damaged(tmp_path: Path) -> None:
    path = write_audio(tmp_path / "a.wav", noise(1.0))
    data = bytearray(path.read_bytes())
    data[4:8] = b"\xff" * 4
    path.write_bytes(data)
    recording = RecordedSound(path)
    assert len(np.concatenate(list(recording.blocks(1.0)))) == SAMPLE_RATE
    assert not recording.damaged


@pytest.mark.parametrize("suffix", [".flac", ".ogg"])
def test_a_damaged_part_loses_only_itself(tmp_path: Path, suffix: str) -> None:
    path = write_audio(tmp_path / f"a{suffix}", noise(6.0))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = os.urandom(2000)
    path.write_bytes(data)
    recording = RecordedSound(path)
    seconds = sum(len(block) for block in recording.blocks(1.0)) / SAMPLE_RATE
    assert seconds > 3.0


def not_audio(path: Path) -> Path:
    path.write_bytes(bytes(range(256)) * 40)
    return path


def text_named_wav(path: Path) -> Path:
    path.write_text("The patient slept well.\n" * 50, encoding="utf-8")
    return path


def video_only(path: Path) -> Path:
    import av

    path = path.with_suffix(".mp4")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        for _ in range(10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")))
        container.mux(stream.encode(None))
    return path


def playlist(path: Path) -> Path:
    """Decoders would follow this list to other files or to a network."""
    write_audio(path.with_name("secret.wav"), tone(1.0))
    path.write_text("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nsecret.wav\n#EXT-X-ENDLIST\n", encoding="utf-8")
    return path


def header_only(path: Path) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
    return path


def empty(path: Path) -> Path:
    path.touch()
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def missing(path: Path) -> Path:
    return path


def blink(path: Path) -> Path:
    return write_audio(path, tone(0.05))


def headless_m4a(path: Path) -> Path:
    return half(write_audio(path.with_suffix(".m4a"), noise(3.0)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (missing, "There is no file"),
        (folder, "is a folder"),
        (empty, "is empty"),
        (not_audio, "not a recording"),
        (text_named_wav, "not a recording"),
        (playlist, "not a recording"),
        (headless_m4a, "not a recording"),
        (video_only, "no sound"),
        (header_only, "too short"),
        (blink, "too short"),
    ],
)
def test_a_file_that_is_not_a_recording_is_refused_in_plain_words(tmp_path: Path, make, said: str) -> None:
    path = make(tmp_path / "bedside note.wav")
    with pytest.raises(AudioError) as caught:
        decode(path)
    assert said in caught.value.what
    assert path.name in caught.value.what
    assert caught.value.next_step
    assert "Errno" not in str(caught.value)


def test_a_device_is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "pipe.wav"
    if not hasattr(socket, "AF_UNIX"):
        pytest.skip("needs named pipes")
    os.mkfifo(path)
    with pytest.raises(AudioError, match="is not a file"):
        probe(path)


def test_a_file_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_audio(tmp_path / "a.wav", tone(1.0))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(AudioError, match="cannot be read: Permission denied"):
        decode(path)


def test_a_name_that_looks_like_an_address_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_audio(tmp_path / "a.wav", tone(1.0)).rename(tmp_path / "http:localhost")
    assert probe(Path("http:localhost")).duration == 1.0


def test_a_recording_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_audio(tmp_path / "a.wav", silence(5.0))
    monkeypatch.setattr(audio, "MAXIMUM_SECONDS", 4.0)
    with pytest.raises(AudioError, match="longer than"):
        RecordedSound(path)


def test_a_false_length_cannot_hide_an_overlong_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = RecordedSound(write_audio(tmp_path / "a.wav", silence(5.0)))
    monkeypatch.setattr(audio, "MAXIMUM_SECONDS", 4.0)
    with pytest.raises(AudioError, match="longer than"):
        list(recording.blocks(1.0))
