"""The real models follow the sample as it is spoken: the text of the finished recording, and nearly its values."""

from __future__ import annotations

from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import pytest

from app.evaluation.live_latency import same_rows
from app.inference.client import Inference
from app.inference.live_events import LiveValues, LiveWords, Sound
from app.pipeline import PipelineResult, follow
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import NO_CONTEXT
from models.base.progress import NOT_MONITORED
from models.process.messages import Channel
from speech.audio import SAMPLE_RATE, decode, pcm
from speech.transcript import Transcript
from tests.end_to_end.conftest import SAMPLE, inference

pytestmark = [pytest.mark.models, pytest.mark.extensive]
_BLOCK_BYTES = 2 * SAMPLE_RATE * 3 // 2


@pytest.mark.timeout(900)  # two whole dictations, one after the other
def test_what_is_followed_comes_to_what_the_finished_recording_does(
    models: Inference, demo_schema: Schema, sample_result: PipelineResult
) -> None:
    """The speaker goes on by a second and a half each time something was heard, so that no clock matters."""
    sound = pcm(decode(SAMPLE))
    blocks = [sound[start : start + _BLOCK_BYTES] for start in range(0, len(sound), _BLOCK_BYTES)]
    given: SimpleQueue[Sound] = SimpleQueue()
    words: list[LiveWords] = []
    values: list[LiveValues] = []

    def told(news: Any) -> None:
        if isinstance(news, LiveValues):
            values.append(news)
            return
        words.append(news)
        given.put(blocks.pop(0) if blocks else None)

    given.put(blocks.pop(0))
    followed = follow(demo_schema, models, Channel(given, told), monitor=NOT_MONITORED)
    assert followed is not None
    assert followed.transcript.text == sample_result.transcript.text
    assert all(after.final.startswith(before.final) for before, after in pairwise(words))
    assert words[-1].final == followed.transcript.text
    assert len({len(told.values) for told in values}) > 5, "values come one after the other"
    # the same text, but its questions were asked when less of it was known: here 47 of 51 rows come out alike
    same, differing = same_rows(followed.values, sample_result.values)
    assert same >= 0.9, differing


def test_once_ready_every_model_is_loaded(demo_schema: Schema) -> None:
    with inference(Settings()) as fresh:
        fresh.preload_models(demo_schema, NOT_MONITORED)
        channel = Channel(SimpleQueue(), lambda _: None)
        found = fresh.read_file(Transcript("She rests."), demo_schema, NO_CONTEXT, [], channel, NOT_MONITORED)
        assert set(found.devices) == {"speech", "filler", "embedder"}
        assert found.load_seconds == pytest.approx(0.0, abs=0.05)
