"""Levels and microphone verdicts, on signals of known power."""

from __future__ import annotations

import numpy as np
import pytest

from speech.audio import pcm
from speech.levels import SILENCE_DB, Room, SoundLevel, Verdict, judge_room, level_of, room_of
from tests.kit.audio import noise, silence, tone, voice


@pytest.mark.parametrize("level", [1.0, 0.5, 0.1, 0.001])
def test_a_tone_has_its_peak_and_power(level: float) -> None:
    found = level_of(pcm(tone(1.0, level=level)))
    assert found.peak == pytest.approx(20 * np.log10(level), abs=0.3)
    assert found.rms == pytest.approx(20 * np.log10(level / np.sqrt(2)), abs=0.3)


@pytest.mark.parametrize("sound", [b"", b"\1", bytes(3200)])
def test_no_sound_is_silence(sound: bytes) -> None:
    assert level_of(sound) == SoundLevel(SILENCE_DB, SILENCE_DB, 0.0)
    assert judge_room(room_of(sound)) is Verdict.SILENT


def test_the_lowest_sample_value_has_a_level() -> None:
    found = level_of(b"\x00\x80" * 100)
    assert (found.peak, found.rms, found.clipped) == (0.0, 0.0, 1.0)


def test_the_share_of_clipped_samples() -> None:
    cut = np.concatenate([np.full(100, 1.5), np.full(300, 0.5), np.full(100, -1.5)])
    assert level_of(pcm(cut)).clipped == pytest.approx(0.4)
    assert level_of(pcm(tone(1.0, level=0.99))).clipped == 0.0


def test_room_noise_is_separated_from_the_voice() -> None:
    room = room_of(voice(10, speech_db=-24, noise_db=-60))
    assert room.noise == pytest.approx(-60, abs=1.5)
    assert room.speech == pytest.approx(-24, abs=3)


def test_a_constant_offset_is_not_noise() -> None:
    samples = np.frombuffer(voice(10, noise_db=-70), "<i2") / 32767 + 0.05
    assert judge_room(room_of(pcm(samples))) is Verdict.GOOD


@pytest.mark.parametrize(
    ("sound", "verdict"),
    [
        (voice(10), Verdict.GOOD),
        (voice(10, speech_db=-35), Verdict.GOOD),
        (voice(10, speech_db=-20, noise_db=-45), Verdict.GOOD),
        (voice(10, speech_db=-10, gain_db=14), Verdict.LOUD),
        (voice(10, speech_db=-45), Verdict.QUIET),
        (voice(10, noise_db=-32), Verdict.NOISY),
        (pcm(noise(10, level=0.05)), Verdict.NOISY),
        (pcm(noise(10, level=0.0005)), Verdict.SILENT),
        (pcm(silence(10)), Verdict.SILENT),
    ],
)
def test_each_room_gets_its_verdict(sound: bytes, verdict: Verdict) -> None:
    assert judge_room(room_of(sound)) is verdict


@pytest.mark.parametrize("gain", range(-36, 31, 6))
def test_turning_up_a_microphone_goes_from_silent_through_good_to_loud(gain: int) -> None:
    order = [Verdict.SILENT, Verdict.QUIET, Verdict.GOOD, Verdict.LOUD]
    softer, louder = (judge_room(room_of(voice(10, gain_db=gain + more, noise_db=-90))) for more in (0, 6))
    assert order.index(softer) <= order.index(louder)


def test_a_clipped_whisper_is_still_silent() -> None:
    assert judge_room(Room(noise=-80, speech=-70, clipped=0.5)) is Verdict.SILENT
