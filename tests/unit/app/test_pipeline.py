"""What the window is told of a dictation while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app import pipeline
from app.inference.file_session import read_file
from app.inference.live_events import LiveValues
from app.pipeline import PipelineResult
from models.base.progress import NOT_MONITORED
from models.runtimes.loaded import Runtimes
from speech.errors import AudioError
from speech.transcript import Transcript
from tests.kit.audio import silence, write_audio
from tests.unit.app.inference.test_file_session import recording
from tests.unit.app.inference.test_live_session import SCHEMA, SENTENCES, ward

__all__ = ["recording", "ward"]


@dataclass
class InThisProcess:
    """The tasks of the inference process, without the process."""

    runtimes: Runtimes
    folder: Path
    models = {"speech": "fake", "filler": "fake", "embedder": "fake"}  # noqa: RUF012

    def read_file(self, source: Any, schema: Any, context: Any, hotwords: list[str], channel: Any, monitor: Any) -> Any:
        return read_file(
            self.runtimes,
            source=source,
            hotwords=hotwords,
            schema=schema,
            context=context,
            top_k=9,
            index_folder=self.folder,
            learned=None,
            channel=channel,
            monitor=monitor,
        )


Read = Callable[..., tuple[PipelineResult, list[Transcript], list[LiveValues]]]


@pytest.fixture
def read(ward: Runtimes, tmp_path: Path) -> Read:
    def reading(
        source: Path, kind: str, transcript: Transcript | None = None
    ) -> tuple[PipelineResult, list[Transcript], list[LiveValues]]:
        transcripts: list[Transcript] = []
        values: list[LiveValues] = []
        result = pipeline.run(
            source,
            kind,
            SCHEMA,
            InThisProcess(ward, tmp_path),  # type: ignore[arg-type]
            transcript=transcript,
            on_transcript=transcripts.append,
            on_values=values.append,
            monitor=NOT_MONITORED,
        )
        return result, transcripts, values

    return reading


def test_a_recording_tells_its_transcript_once_and_values_before_the_end(read: Read, recording: Path) -> None:
    result, transcripts, values = read(recording, "audio")
    assert transcripts == [result.transcript]
    assert result.transcript.text == " ".join(SENTENCES)
    assert len(values) > 1
    assert values[-1].values == result.values
    assert set(result.seconds) == {"load", "transcribe", "reduce", "fill"}


def test_a_text_is_its_own_transcript(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text(" ".join(SENTENCES), encoding="utf-8")
    result, transcripts, values = read(path, "text")
    assert [one.text for one in transcripts] == [" ".join(SENTENCES)]
    assert values[-1].values == result.values
    assert result.values


def test_a_transcript_that_is_known_is_neither_heard_nor_told_again(
    read: Read, recording: Path, ward: Runtimes
) -> None:
    known = Transcript("Heart rate is 110 beats per minute.")
    whisper: Any = ward.whisper
    result, transcripts, _ = read(recording, "audio", transcript=known)
    assert (transcripts, whisper.heard_windows) == ([], 0)
    assert result.transcript is known
    assert "hr" in {value.row_id for value in result.values}


def test_a_recording_in_which_nobody_speaks_is_an_error(read: Read, tmp_path: Path) -> None:
    path = write_audio(tmp_path / "silence.wav", silence(3.0))
    with pytest.raises(AudioError, match=r"No speech was heard in silence\.wav"):
        read(path, "audio")
