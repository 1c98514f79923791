"""Live transcription: no word is lost or duplicated, and final text stays."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.errors import Cancelled
from models.base.progress import NOT_MONITORED
from models.runtimes.whisper import WINDOW_SECONDS
from speech.audio import pcm
from speech.live_transcriber import LiveTranscriber
from speech.transcribe import transcribe
from tests.kit.audio import silence, write_audio
from tests.kit.fake_speech import WORD_SECONDS, FakeWhisper, HearingWhisper, heard, spoken

SECOND = 32_000  # bytes


def live_of(words: list[str]) -> LiveTranscriber:
    return LiveTranscriber(HearingWhisper(words=words), [])  # type: ignore[arg-type]


def follow(words: list[str], block_seconds: float, every: int = 1) -> tuple[LiveTranscriber, list[tuple[str, str]]]:
    """The whole recording, with a `listen` after every `every` blocks, and the final and draft text each time."""
    live, sound, seen = live_of(words), spoken(words), []
    size = int(block_seconds * SECOND) // 2 * 2
    for number, start in enumerate(range(0, len(sound), size)):
        live.hear(sound[start : start + size])
        if number % every == 0:
            live.listen()
            live.settle()
            seen.append((live.text, live.draft))
    live.listen(ended=True)
    return live, [*seen, (live.text, live.draft)]


def said(words: list[str]) -> str:
    return " ".join(word for word in words if word)


def test_words_are_shown_before_they_are_final() -> None:
    words = "Heart rate is 112. She is".split()
    live, sound = live_of(words), spoken(words)
    live.hear(sound[: 3 * SECOND // 2])
    live.listen()
    assert (live.text, live.likely, live.draft, live.covered) == ("", "", "Heart rate is", 1.5)
    live.hear(sound[3 * SECOND // 2 :])
    live.listen()
    assert not live.settle(), "nobody has paused yet"
    assert (live.text, live.likely, live.draft) == ("", "", said(words))
    live.listen(ended=True)
    assert (live.text, live.likely, live.draft) == (said(words), "", "")


def test_speech_before_a_pause_is_carefully_transcribed() -> None:
    words = ["Heart", "rate", "is", "112.", "", "", "", "She"]
    live, sound = live_of(words), spoken(words)
    live.hear(sound[: 7 * SECOND // 2])
    live.listen()
    assert live.settle()
    assert (live.text, live.likely) == ("", "Heart rate is 112.")
    assert not live.settle(), "it was carefully transcribed"
    live.hear(sound[7 * SECOND // 2 :])
    live.listen()
    assert (live.likely, live.draft) == ("Heart rate is 112.", "Heart rate is 112. She")


def test_a_short_pause_is_enough_during_continuous_speech() -> None:
    words = "Heart rate is 112 by the monitor just now. She denies pain.".split()
    live, sound = live_of(words), spoken(words, {8})
    live.hear(sound[: int(5.3 * SECOND)])
    live.listen()
    assert live.settle()
    assert live.likely == "Heart rate is 112 by the monitor just now."
    assert live.text == ""
    assert not live.settle(), "it was carefully transcribed"
    live.listen()
    assert live.draft == "Heart rate is 112 by the monitor just now. She"
    live.hear(sound[int(5.3 * SECOND) :])
    live.listen(ended=True)
    assert (live.text, live.likely, live.draft) == (said(words), "", "")


def test_speech_before_a_short_pause_may_move_to_the_next_window() -> None:
    words = [f"w{place}" if place not in (20, 21) else "" for place in range(45)]
    live, sound = live_of(words), spoken(words, {29})
    for start in range(0, len(sound), SECOND // 2):
        live.hear(sound[start : start + SECOND // 2])
        live.listen()
        live.settle()
        assert said(words).startswith(f"{live.text} {live.likely}".strip())
        if live.likely == said(words[:30]):
            assert live.text == "", "the window is not over"
        elif live.text:
            assert live.text == said(words[:20])
    live.listen(ended=True)
    assert live.text == said(words)


def test_a_window_is_final_once_it_is_full() -> None:
    words = [f"word{place}" for place in range(26)] + [""] * 3 + [f"more{place}" for place in range(8)]
    _, seen = follow(words, 0.5)
    first = said(words[:26])
    assert [final for final, _ in seen[30:]] == [""] * 3 + [first] * 4 + [said(words)]
    assert seen[33][1] == "more0 more1 more2 more3 more4", "final text is not shown twice"


def test_the_windows_match_those_of_the_finished_recording(tmp_path: Path) -> None:
    words = [f"w{place}" if place % 11 not in (9, 10) else "" for place in range(120)]
    live, _ = follow(words, 0.3)
    sound = np.frombuffer(spoken(words), dtype="<i2") / 32768
    finished = transcribe(
        HearingWhisper(words=words),  # type: ignore[arg-type]
        write_audio(tmp_path / "finished.wav", sound),
        [],
        NOT_MONITORED,
    )
    assert live.transcript() == finished


@given(
    words=st.lists(
        st.sampled_from(["pain", "is", "three.", "No", "edema?", "38.4", "today!", "so...", ""]), max_size=150
    ),
    block=st.sampled_from([0.05, 0.3, 0.5, 1.1, 4.0, 50.0]),
    every=st.integers(1, 6),
)
def test_no_word_is_lost_or_duplicated_and_final_text_only_grows(words: list[str], block: float, every: int) -> None:
    words = [f"{word[:1]}{place}{word[1:]}" if word else "" for place, word in enumerate(words)]
    live, seen = follow(words, block, every if block < 1 else 1)
    assert live.text == said(words)
    for (former, _), (text, _) in pairwise(seen):
        assert text.startswith(former)
    transcript = live.transcript()
    assert not transcript.warnings
    assert transcript.duration == pytest.approx(len(words) * WORD_SECONDS)
    places = [place for place, word in enumerate(words) if word]
    assert [transcript.text[word.char_start : word.char_end] for word in transcript.words] == said(words).split()
    assert [word.start for word in transcript.words] == pytest.approx(
        [place * WORD_SECONDS for place in places], abs=0.02
    )
    assert "".join(transcript.text[one.char_start : one.char_end] for one in transcript.segments).split() or not places


def test_a_window_is_never_longer_than_whisper_hears() -> None:
    words = [f"word{place}" for place in range(200)]  # a hundred seconds without a pause or the end of a sentence
    longest = 0

    class Measured(HearingWhisper):
        def listen(self, samples: np.ndarray, *, short: bool = False):  # type: ignore[no-untyped-def, type-arg]
            nonlocal longest
            longest = max(longest, len(samples))
            return super().listen(samples, short=short)

    live = LiveTranscriber(Measured(words=words), [])  # type: ignore[arg-type]
    for start in range(0, len(spoken(words)), SECOND):
        live.hear(spoken(words)[start : start + SECOND])
        live.listen()
        live.settle()
    live.listen(ended=True)
    assert live.text == said(words)
    assert longest <= WINDOW_SECONDS * 16_000


@pytest.mark.parametrize(
    ("heard_text", "shown"),
    [
        ("That is all for now. That is All for now!", "That is all for now."),
        ("He voided 350 milliliters. He voided 350", "He voided 350 milliliters."),
        ("He voided 350. He voided 350. He", "He voided 350."),
        ("Oxygen. Oxygen", "Oxygen."),
        ("Tap, tap tap", "Tap,"),
        ("His last meal was three days ago. His last deal was 3 days ago", "His last meal was three days ago."),
        ("No pain. No nausea.", "No pain. No nausea."),
        ("Left leg edema two plus. Right leg edema two plus.", "Left leg edema two plus. Right leg edema two plus."),
        ("She has pain. She denies nausea. She", "She has pain. She denies nausea. She"),
        ("Pain.", "Pain."),
        ("", ""),
    ],
)
def test_an_echo_that_fills_silence_is_shown_once(heard_text: str, shown: str) -> None:
    live = LiveTranscriber(FakeWhisper([heard(heard_text)]), [])  # type: ignore[arg-type]
    live.hear(pcm(np.full(32_000, 0.5)))
    live.listen()
    assert live.draft == shown


def test_silence_is_dropped_and_not_transcribed() -> None:
    whisper = HearingWhisper(words=[])
    live = LiveTranscriber(whisper, [])  # type: ignore[arg-type]
    for _ in range(100):
        live.hear(pcm(silence(5.0)))
        live.listen()
    assert (live.text, live.draft, whisper.heard_windows) == ("", "", 0)
    assert len(live._splitter._pending) <= 4 * 16_000
    live.listen(ended=True)
    assert live.transcript().text == ""


def test_nothing_is_transcribed_again_during_silence() -> None:
    words = ["Pain", "is", "three."] + [""] * 20
    whisper = HearingWhisper(words=words)
    live = LiveTranscriber(whisper, [])  # type: ignore[arg-type]
    for start in range(0, len(spoken(words)), SECOND):
        live.hear(spoken(words)[start : start + SECOND])
        live.listen()
        live.settle()
    assert live.likely == "Pain is three."
    assert whisper.heard_windows <= 3


def test_text_that_whisper_doubts_is_neither_shown_nor_kept() -> None:
    invented = heard("Thank you for watching.", log_probability=-1.4, silent=0.8)
    live = LiveTranscriber(FakeWhisper([invented] * 9), [])  # type: ignore[arg-type]
    live.hear(pcm(np.full(32_000, 0.5)))
    live.listen()
    assert (live.text, live.draft) == ("", "")
    live.listen(ended=True)
    assert live.text == ""
    assert live.transcript().warnings == ("No words could be made out from 0:00 to 0:02.",)


def test_stopping_does_not_wait_for_a_window() -> None:
    whisper = FakeWhisper([heard("Pain is three.")])
    live = LiveTranscriber(whisper, [])  # type: ignore[arg-type]
    live.hear(pcm(np.full(32_000, 0.5)))
    with pytest.raises(Cancelled):
        live.listen(ended=True, stopped=lambda: True)
    assert (len(whisper.windows), whisper.asked) == (1, [])


def test_terms_are_suggested_for_final_text() -> None:
    script = [{"plain": "There was amesis.", "hinted": heard("There was emesis.", -0.1)}]
    live = LiveTranscriber(FakeWhisper(script), ["emesis"])  # type: ignore[arg-type]
    live.hear(pcm(np.full(32_000, 0.5)))
    live.listen(ended=True)
    assert live.text == "There was emesis."
