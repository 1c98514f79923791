"""How far behind the speaker everything comes, measured on a follower that does as it is told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.cli import main
from app.cli.measuring import bench
from app.evaluation.live_latency import Played, delays, play, same_rows
from app.inference.live_events import Followed, LiveValues, LiveWords
from app.inference.usage import Outcome
from app.pipeline import PipelineResult
from extraction.extractor import Extraction
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import NOT_MONITORED
from models.process.messages import Channel
from speech.errors import AudioError
from speech.transcript import Transcript
from tests.kit.audio import tone, write_audio
from tests.kit.fake_app import TEXT, transcript_of, values_of
from tests.unit.extraction.test_extractor import SCHEMA

WATCH: dict[str, Any] = {"monitor": NOT_MONITORED}


def result(text: str = TEXT) -> PipelineResult:
    return PipelineResult(transcript_of(text), values_of(text), (), (), "", {}, {}, {}, {})


class FakeFollower:
    """Hears `text` when the recording has ended; notes what it was given, and when."""

    def __init__(self, text: str = "Pain is three.") -> None:
        self.models: dict[str, str] = {}
        self.text = text
        self.given: list[tuple[float, bytes]] = []

    def follow(
        self, schema: Schema, context: EncounterContext, hotwords: list[str], channel: Channel, *_: Any
    ) -> Outcome[Followed]:
        while (block := channel.inputs.get()) is not None:
            self.given.append((time.monotonic(), block))
        channel.emit(LiveWords(self.text, "", 0.6))
        channel.emit(LiveValues((), self.text))
        transcript = transcript_of(self.text) if self.text else Transcript("")
        return Outcome(Followed(transcript, Extraction()))


def test_a_recording_is_played_as_it_was_spoken(tmp_path: Path) -> None:
    path = write_audio(tmp_path / "note.wav", tone(0.6))
    follower = FakeFollower()
    played = play(path, SCHEMA, follower, **WATCH)
    assert sum(len(block) for _, block in follower.given) == 0.6 * 32_000
    assert follower.given[-1][0] - follower.given[0][0] > 0.5
    assert max(len(block) for _, block in follower.given) <= 0.05 * 32_000
    assert played.result.transcript.text == follower.text
    assert played.words[0][0] > 0.6


def test_a_recording_without_speech_is_refused(tmp_path: Path) -> None:
    path = write_audio(tmp_path / "note.wav", tone(0.2))
    with pytest.raises(AudioError):
        play(path, SCHEMA, FakeFollower(""), **WATCH)


def test_delays_count_from_the_end_of_the_last_word() -> None:
    found = result("Pain is three. No edema.")  # words end at 0.35, 0.75, 1.15, 1.55 and 1.95
    words = (
        (1.0, LiveWords("", "Pain is", 0.8)),
        (2.0, LiveWords("Pain is three.", "No", 1.6)),
        (2.75, LiveWords("Pain is three. No edema.", "", 2.0)),
        (4.0, LiveWords("Pain is three. No edema.", "", 2.5)),
    )
    early, late = values_of()[:1], values_of()[:2]
    surer = tuple(replace(value, confidence=0.99) for value in late)
    values = tuple(
        (at, LiveValues(found_then, "")) for at, found_then in ((2.5, early), (3.95, late), (5.0, late), (6.0, surer))
    )
    measured = delays(Played(found, words, values))
    assert measured.final_text == pytest.approx(0.8)
    assert measured.last_value == pytest.approx(2.0)
    assert measured.live_word == pytest.approx(0.65)
    assert measured.slowest_live_word == pytest.approx(0.85)


def test_rows_are_the_same_where_the_value_is() -> None:
    values = values_of()
    assert same_rows(values, values) == (1.0, [])
    changed = (replace(values[0], value=1.0), *values[2:])
    share, differing = same_rows(values, changed)
    assert share == pytest.approx(1 - 2 / 18)
    assert differing == sorted([values[0].row_id, values[1].row_id])
    assert same_rows((), ()) == (1.0, [])


def test_the_command_answers_with_flat_medians(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = iter([3.0, 5.0, 4.0])
    loaded: list[str] = []

    @contextmanager
    def inference(_: object) -> Iterator[object]:
        yield SimpleNamespace(preload_models=lambda schema, *_: loaded.append(schema.id))

    def fake_play(*_: Any, **__: Any) -> Played:
        assert len(loaded) == 1, "no word waits for a model"
        found, end = result(), result().transcript.words[-1].end
        words = LiveWords(TEXT, "", end)
        return Played(found, ((end + 1.0, words),), ((end + next(played), LiveValues(found.values, TEXT)),))

    monkeypatch.setattr(bench, "open_inference", inference)
    monkeypatch.setattr(bench, "play", fake_play)
    monkeypatch.setattr(bench, "batch", lambda *_, **__: replace(result(), values=values_of()[1:]))
    assert main(["bench", "live", "--audio", str(tmp_path / "a.wav"), "--repeat", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["final_text_delay_s"], answer["last_value_delay_s"]) == (1.0, 4.0)
    assert answer["same_rows"] == pytest.approx(17 / 18, abs=1e-3)
    assert [run["differing_rows"] for run in answer["runs"]] == [["hr"]] * 3
