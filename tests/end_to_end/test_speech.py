"""The real Whisper: terms of the schema, silence and noise, times, length."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from app.system import paths
from extraction.flowsheet.naming.speech_terms import schema_terms
from extraction.flowsheet.schema import Schema
from models.base.progress import NOT_MONITORED
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.whisper import WhisperRuntime
from speech.audio import SAMPLE_RATE, decode
from speech.transcribe import transcribe
from speech.transcript import Transcript
from tests.end_to_end.conftest import SAMPLE
from tests.kit.audio import Signal, noise, silence, tone, write_audio

pytestmark = [pytest.mark.models, pytest.mark.extensive]
CLIPS = Path(__file__).parent.parent / "data" / "audio"


@pytest.fixture(scope="module")
def whisper() -> WhisperRuntime:
    folder = Registry(load_manifest(), paths.models_dir()).path("whisper-base")
    return WhisperRuntime(folder, device="cpu", threads=2)


def hear(whisper: WhisperRuntime, path: Path, terms: list[str] | None = None) -> Transcript:
    return transcribe(whisper, path, terms or [], NOT_MONITORED)


def test_the_choice_of_device_is_visible(whisper: WhisperRuntime) -> None:
    assert whisper.device == "cpu"
    assert whisper.compute_type.startswith("int8")
    assert whisper.name == "whisper-base"


def test_the_terms_of_the_schema_are_written_right(whisper: WhisperRuntime, demo_schema: Schema) -> None:
    """All but one of seven at least: in the arithmetic of some processors Whisper writes one otherwise."""
    clips = {
        "emesis-noon": {"emesis", "crepitus", "melena"},
        "emesis-large": {"emesis", "rhonchi"},
        "emesis-twice": {"emesis", "ecchymosis"},
    }

    def written(clip: str, suggested: list[str]) -> set[str]:
        words = hear(whisper, CLIPS / f"{clip}.ogg", suggested).text.split()
        return clips[clip] & {word.strip(".,").lower() for word in words}

    assert not any("emesis" in written(clip, []) for clip in clips)
    found = {clip: written(clip, schema_terms(demo_schema)) for clip in clips}
    assert sum(map(len, found.values())) >= sum(map(len, clips.values())) - 1
    assert sum("emesis" in terms for terms in found.values()) >= 2


@pytest.mark.parametrize(
    "signal",
    [silence(8.0), noise(8.0), noise(8.0, level=0.4), noise(8.0, level=0.005), tone(8.0)],
    ids=["silence", "noise", "loud noise", "faint noise", "tone"],
)
def test_nothing_is_invented_where_nobody_speaks(
    whisper: WhisperRuntime, demo_schema: Schema, tmp_path: Path, signal: Signal
) -> None:
    transcript = hear(whisper, write_audio(tmp_path / "a.wav", signal), schema_terms(demo_schema))
    assert (transcript.text, transcript.words) == ("", ())
    assert transcript.duration == pytest.approx(8.0, abs=0.01)


def test_words_are_where_they_were_said(whisper: WhisperRuntime, tmp_path: Path) -> None:
    """The same clip at 10 s and, over the end of a block, at 118 s, in stereo."""
    clip = decode(CLIPS / "emesis-noon.ogg")
    whole = silence(130.0)
    for second in (10, 118):
        whole[second * SAMPLE_RATE : second * SAMPLE_RATE + len(clip)] = clip
    transcript = hear(whisper, write_audio(tmp_path / "a.wav", whole, SAMPLE_RATE, channels=2))
    noons = [word.start for word in transcript.words if word.text.startswith("noon")]
    assert len(noons) == 2
    assert noons[1] - noons[0] == pytest.approx(108.0, abs=0.3)
    assert 10.5 < noons[0] < 10.0 + len(clip) / SAMPLE_RATE
    for word in transcript.words:
        assert transcript.text[word.char_start : word.char_end] == word.text


def test_the_sample_is_heard(whisper: WhisperRuntime, demo_schema: Schema) -> None:
    transcript = hear(whisper, SAMPLE, schema_terms(demo_schema))
    said = transcript.text.lower()
    # in the arithmetic of some processors Whisper writes "canola"
    for words in ("142", "38.4", "93", "hypoactive", "emesis", "amber", "nasal can"):
        assert words in said
    assert not transcript.warnings
    times = [word.start for word in transcript.words]
    assert times == sorted(times)
    # One number can hold no more than a window; a long silence between words would be lost speech.
    assert max(np.diff(times)) < 4.0


def test_speech_starts_no_threads_of_python(whisper: WhisperRuntime) -> None:
    before = threading.active_count()
    hear(whisper, CLIPS / "emesis-noon.ogg")
    assert threading.active_count() == before
