"""Whatever Whisper writes, each word's span in the text is right, and times follow the recording."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base.phonetics import sound_of
from models.base.progress import NOT_MONITORED
from models.runtimes.whisper import HeardWord, WhisperText
from speech.hotwords import HotwordFinder
from speech.transcribe import transcribe
from speech.transcript import Transcript
from tests.kit.audio import silence, tone, write_audio
from tests.kit.fake_speech import FakeWhisper

WORD = st.text(alphabet="ab-'.,°0é", min_size=1, max_size=4)
# Whisper puts no space before some words, and may write words without a time.
TEXT = st.lists(st.tuples(WORD, st.sampled_from([" ", "", "  ", "\n"]), st.booleans()), min_size=1, max_size=12)


@st.composite
def windows(draw: st.DrawFn) -> WhisperText:
    text, words, second = "", [], 0.0
    for word, space, placed in draw(TEXT):
        text += space + word
        length = draw(st.floats(0.0, 2.0))
        if placed:
            words.append(HeardWord(word, second, second + length, 0.5))
        second += length
    return WhisperText(text.strip(), -0.2, 0.0, 1.0, tuple(words))


def transcript_of(heard: list[WhisperText]) -> Transcript:
    with tempfile.TemporaryDirectory() as folder:
        # Each 12 s span with the pause after it fills a window of its own.
        parts = [part for _ in heard for part in (tone(12.0), silence(1.0))]
        path = write_audio(Path(folder) / "note.wav", np.concatenate(parts))
        return transcribe(FakeWhisper(list(heard)), path, [], NOT_MONITORED)  # type: ignore[arg-type]


@settings(max_examples=40)
@given(st.lists(windows(), min_size=1, max_size=3))
def test_word_spans_are_exact_and_increasing(heard: list[WhisperText]) -> None:
    transcript = transcript_of(heard)
    assert transcript.text == " ".join(" ".join(one.text.split()) for one in heard if one.text.strip())
    end = 0
    for word in transcript.words:
        assert transcript.text[word.char_start : word.char_end] == word.text
        assert word.char_start >= end
        assert 0.0 <= word.start <= word.end <= transcript.duration
        end = word.char_end
    end = -1
    for segment in transcript.segments:
        assert segment.char_start == end + 1
        end = segment.char_end
    assert end == len(transcript.text)
    assert Transcript.from_json(transcript.to_json()) == transcript


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=6))
def test_hotwords_accept_any_text_and_terms(heard: str, terms: list[str]) -> None:
    said = {word.strip('.,;:!?"').lower() for word in heard.split()}
    for term in HotwordFinder(terms, lambda _: 2).near(heard):
        assert term.lower() not in said


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=12))
def test_the_sound_of_a_word_ignores_case(word: str) -> None:
    assert sound_of(word) == sound_of(word.upper())
