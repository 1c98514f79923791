"""From speech windows to a transcript: times, guards against invented text, hotwords, progress and cancellation."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.base.errors import Cancelled
from models.base.phonetics import sound_of
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.errors import GpuError, ModelFileError
from models.runtimes import whisper
from speech.errors import AudioError
from speech.hotwords import HotwordFinder, hotword_text
from speech.transcribe import transcribe
from speech.transcript import Transcript
from tests.kit.audio import silence, tone, write_audio
from tests.kit.fake_speech import FakeWhisper, FakeWindow, HearingWhisper, heard, spoken
from tests.kit.patience import PATIENCE_SECONDS


def run(whisper: FakeWhisper, path: Path, hotwords: list[str] | None = None, **monitor: Any) -> Transcript:
    callbacks: dict[str, Any] = {"monitor": NOT_MONITORED} | monitor
    return transcribe(whisper, path, hotwords or [], **callbacks)  # type: ignore[arg-type]


def recording(tmp_path: Path, *parts: float) -> Path:
    """Seconds of sound (positive) and of silence (negative), in sequence."""
    pieces = [tone(part) if part > 0 else silence(-part) for part in parts]
    return write_audio(tmp_path / "note.wav", np.concatenate(pieces))


def test_silence_gives_an_empty_text_without_transcription(tmp_path: Path) -> None:
    whisper = FakeWhisper()
    transcript = run(whisper, recording(tmp_path, -5.0), ["emesis"])
    assert (transcript.text, transcript.words, transcript.segments, transcript.warnings) == ("", (), (), ())
    assert transcript.duration == 5.0
    assert not whisper.windows


def test_word_spans_match_the_text(tmp_path: Path) -> None:
    transcript = run(FakeWhisper(["  The pain,  the pain is 3. "]), recording(tmp_path, 4.0))
    assert transcript.text == "The pain, the pain is 3."
    assert [transcript.text[word.char_start : word.char_end] for word in transcript.words] == transcript.text.split()
    assert transcript.words[2].char_start == 10  # the second "the", not the first
    assert (transcript.model, transcript.language) == ("whisper-fake", "en")


def test_times_include_the_pauses_removed_for_whisper(tmp_path: Path) -> None:
    # A window of two spans: 1 s of speech at 2.0 s, and 1 s at 6.0 s. Words come every half second.
    whisper = FakeWhisper(["one two three four"])
    transcript = run(whisper, recording(tmp_path, -2.0, 1.0, -3.0, 1.0, -1.0))
    assert len(whisper.windows) == 1
    assert [word.start for word in transcript.words] == pytest.approx([2.0, 2.5, 6.0, 6.5], abs=0.02)
    assert [(one.char_start, one.char_end) for one in transcript.segments] == [(0, 7), (8, 18)]
    assert [(one.start, one.end) for one in transcript.segments] == [
        pytest.approx((2.0, 2.9), abs=0.02),
        pytest.approx((6.0, 6.9), abs=0.02),
    ]
    assert transcript.audio_span(8, 13) == pytest.approx((6.0, 6.4), abs=0.02)


def test_a_long_recording_is_split_into_windows_without_losing_a_sample(tmp_path: Path) -> None:
    # Speech crosses the end of the two-minute block; none of it may be lost or heard twice.
    parts = [20.0, -1.0] * 5 + [35.0, -2.0, 10.0]
    whisper = FakeWhisper([f"part {number}" for number in range(20)])
    transcript = run(whisper, recording(tmp_path, *parts))
    spoken = sum(part for part in parts if part > 0)
    assert sum(len(window) for window in whisper.windows) / 16_000 == pytest.approx(spoken, abs=0.05)
    assert max(len(window) for window in whisper.windows) <= 30 * 16_000
    assert transcript.duration == pytest.approx(sum(map(abs, parts)))
    starts = [word.start for word in transcript.words]
    assert starts == sorted(starts)


@dataclass
class MeetingWhisper(HearingWhisper):
    """Finishes a first window only once a second one has begun."""

    met: threading.Barrier = field(default_factory=lambda: threading.Barrier(2))

    def listen(self, samples: NDArray[np.float32], *, short: bool = False) -> FakeWindow:
        self.met.wait(PATIENCE_SECONDS)
        return super().listen(samples, short=short)


def long_note(tmp_path: Path) -> tuple[list[str], Path]:
    """The words of four windows, and their recording."""
    words = [f"word{number}" for number in range(120)]
    samples = np.frombuffer(spoken(words), dtype="<i2").astype(np.float32) / 32768
    return words, write_audio(tmp_path / "note.wav", samples)


def test_windows_are_transcribed_in_parallel_and_kept_in_order(tmp_path: Path) -> None:
    words, note = long_note(tmp_path)
    side_by_side = MeetingWhisper(words=words, at_once=2)
    transcript = run(side_by_side, note)
    assert side_by_side.heard_windows == 4
    assert transcript == run(HearingWhisper(words=words), note)
    assert transcript.text == " ".join(words)


def test_stopping_leaves_no_window_running(tmp_path: Path) -> None:
    words, note = long_note(tmp_path)
    whisper = MeetingWhisper(words=words, at_once=2)
    with pytest.raises(Cancelled):
        run(whisper, note, monitor=ProgressMonitor(cancelled=lambda: whisper.heard_windows > 0))
    assert whisper.heard_windows == 2, "only the windows in progress"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("writing")]


def test_doubtful_text_over_silence_is_dropped(tmp_path: Path) -> None:
    invented = heard("Thank you for watching.", log_probability=-1.4, silent=0.8)
    transcript = run(FakeWhisper([invented]), recording(tmp_path, 2.0))
    assert transcript.text == ""
    assert transcript.warnings == ("No words could be made out from 0:00 to 0:02.",)


def test_a_repetitive_text_is_transcribed_again_without_repeats(tmp_path: Path) -> None:
    loop = heard("pain pain pain pain", repetition=6.0)
    script = [{"plain": loop, "no_repeat": "pain is 3"}]
    assert run(FakeWhisper(script), recording(tmp_path, 2.0)).text == "pain is 3"


def test_a_text_that_stays_repetitive_is_dropped_with_a_warning(tmp_path: Path) -> None:
    whisper = FakeWhisper(["Heart rate 80.", heard("no no no no", repetition=6.0)])
    transcript = run(whisper, recording(tmp_path, 12.0, -1.0, 11.0))
    assert transcript.text == "Heart rate 80."
    assert transcript.warnings == ("No words could be made out from 0:13 to 0:24.",)


def test_a_damaged_recording_is_transcribed_with_a_warning(tmp_path: Path) -> None:
    path = recording(tmp_path, 8.0)
    path.write_bytes(path.read_bytes()[:160_044])
    transcript = run(FakeWhisper(["Heart rate 80."]), path)
    assert transcript.text == "Heart rate 80."
    assert transcript.warnings == ("The recording is damaged: 0:05 could be read.",)
    assert Transcript.from_json(transcript.to_json()) == transcript


def test_a_file_that_is_not_a_recording_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "note.wav"
    path.write_bytes(b"no sound at all")
    with pytest.raises(AudioError):
        run(FakeWhisper(), path)


def test_progress_carries_the_words_and_never_decreases(tmp_path: Path) -> None:
    seen: list[Progress] = []
    run(FakeWhisper(["One.", "Two."]), recording(tmp_path, 12.0, -1.0, 12.0), monitor=ProgressMonitor(seen.append))
    assert [report.message for report in seen if report.message] == ["One.", "Two."]
    fractions = [report.fraction for report in seen]
    assert fractions == sorted(fractions)  # type: ignore[type-var]
    assert fractions[-1] == pytest.approx(1.0, abs=0.01)


def test_progress_advances_through_a_long_silence_and_can_be_cancelled_there(tmp_path: Path) -> None:
    path = recording(tmp_path, -500.0)
    seen: list[Progress] = []
    run(FakeWhisper(), path, monitor=ProgressMonitor(seen.append))
    assert [report.fraction for report in seen] == pytest.approx([0.0, 0.24, 0.48, 0.72, 0.96], abs=0.001)
    with pytest.raises(Cancelled):
        run(FakeWhisper(), path, monitor=ProgressMonitor(seen.append, lambda: len(seen) > 6))
    assert len(seen) < 10


def test_transcription_can_be_cancelled_between_windows(tmp_path: Path) -> None:
    whisper = FakeWhisper(["One.", "Two."])
    with pytest.raises(Cancelled):
        run(
            whisper,
            recording(tmp_path, 12.0, -1.0, 12.0),
            monitor=ProgressMonitor(cancelled=lambda: len(whisper.windows) == 1),
        )
    assert len(whisper.windows) == 1


@pytest.mark.parametrize(
    ("term", "misheard"),
    [
        ("emesis", "one episode of amesis today"),
        ("crepitus", "Crapidus noted"),
        ("rhonchi", "lungs have ranchai"),
        ("ecchymosis", "an akimosus on the arm"),
        ("serosanguineous", "with serosingwineas output"),
        ("melena", "Melina times one"),
    ],
)
def test_a_term_is_found_by_its_sound(term: str, misheard: str) -> None:
    others = ["temperature", "orientation", "tracheostomy", "hypertension", "respiratory"]
    assert HotwordFinder([*others, term], lambda _: 3).near(misheard) == [term]


def test_terms_known_to_whisper_are_not_suggested() -> None:
    finder = HotwordFinder(["Emesis", "emesis volume", "stoma", "pain"], lambda word: 1 if word == "volume" else 3)
    assert finder.near("The Emesis was small, the valum too, the pane is 3.") == []
    assert finder.near("Heart rate 80.") == []
    assert finder.near("") == []


def test_an_ordinary_word_is_not_mistaken_for_a_term() -> None:
    assert HotwordFinder(["bruit"], lambda _: 3).near("Brood.") == ["bruit"]
    assert HotwordFinder(["bruit"], lambda word: 1 if word == "Brood" else 3).near("Brood.") == []


def test_the_longer_of_two_equally_close_terms_comes_first() -> None:
    finder = HotwordFinder(["bruit", "serosanguineous"], lambda _: 3)
    assert finder.near("a pruit and serosingwineas") == ["serosanguineous", "bruit"]


def test_only_a_few_terms_are_suggested_at_once() -> None:
    terms = [f"emes{ending}" for ending in ("is", "as", "us", "os", "es", "iss", "ass", "uss", "oss", "ess")]
    assert len(HotwordFinder(terms, lambda _: 3).near("amesis")) <= 8


def test_words_that_sound_alike_share_a_key() -> None:
    assert sound_of("ecchymosis") == sound_of("akimosus")
    assert sound_of("emesis") != sound_of("edema")
    assert sound_of("3.5") == ""


def test_hotwords_are_suggested_only_if_they_may_have_been_said(tmp_path: Path) -> None:
    whisper = FakeWhisper(
        [{"plain": "There was amesis.", "hinted": heard("There was emesis.", -0.1)}, "Heart rate is 80."]
    )
    transcript = run(whisper, recording(tmp_path, 12.0, -1.0, 12.0), ["emesis", "crepitus"])
    assert transcript.text == "There was emesis. Heart rate is 80."
    assert whisper.asked == [
        ("plain", None),
        ("hinted", hotword_text(["emesis"])),
        ("plain", None),
    ]


@pytest.mark.parametrize(
    "hinted",
    [
        heard("There was emesis, emesis, emesis, emesis.", -0.1, repetition=3.0),
        heard("Emesis, emesis.", -0.1),
        heard("There was emesis.", -0.9),
        heard("Emesis.", -0.1),
        heard("", -0.1),
    ],
    ids=["a loop", "an echo", "less certain", "words lost", "nothing"],
)
def test_suggested_terms_are_not_echoed(tmp_path: Path, hinted: Any) -> None:
    script = [{"plain": "There was amesis.", "hinted": hinted}]
    assert run(FakeWhisper(script), recording(tmp_path, 3.0), ["emesis"]).text == "There was amesis."


def test_what_cuda_reports_as_a_runtime_error_is_a_failure_of_the_card() -> None:
    with pytest.raises(GpuError, match="out of memory"), whisper.on_device("cuda"):
        raise RuntimeError("CUDA failed with error out of memory")
    with pytest.raises(RuntimeError), whisper.on_device("cpu"):
        raise RuntimeError("a defect")


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="cannot be loaded") as caught:
        whisper.WhisperRuntime(tmp_path / "whisper-base", device="cpu")
    assert "models install" in caught.value.next_step


def test_the_suggestions_do_not_depend_on_hash_order() -> None:
    """The same recording must give the same text in every process."""
    script = (
        "from speech.hotwords import HotwordFinder\n"
        "terms = ['emesis', 'amosis', 'imesis', 'omesis', 'crepitus', 'melena', 'malina', 'molena', 'ostomy']\n"
        "print(HotwordFinder(terms, lambda word: 3).near('the amesis was green, crapidus and mulena, rustami'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    assert len(found) == 1
    assert "emesis" in found.pop()
