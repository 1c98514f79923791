"""Values of an opened dictation: the first ones long before the end, and in the end as if it had been read at once."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from app.inference.file_session import read_file
from app.inference.live_events import Followed, LiveValues
from app.inference.tasks import transcribe_recording
from app.inference.usage import Outcome
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext, Person
from models.base.errors import Cancelled
from models.base.progress import NOT_MONITORED, CancelledCallback, Progress, ProgressMonitor, never_cancelled
from models.process.messages import Channel
from models.runtimes.loaded import Runtimes
from speech.transcript import Transcript
from tests.kit.fake_speech import spoken
from tests.unit.app.inference.test_live_session import SCHEMA, SENTENCES, WORDS, ward

__all__ = ["ward"]


@pytest.fixture
def recording(ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dictation of several windows, of which two are transcribed at once."""
    monkeypatch.setattr("speech.transcribe.WINDOW_SECONDS", 4.0)
    monkeypatch.setattr(ward.whisper, "at_once", 2)
    path = tmp_path / "dictation.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(spoken(WORDS))
    return path


def read(
    runtimes: Runtimes,
    source: Path | Transcript,
    folder: Path,
    cancelled: CancelledCallback = never_cancelled,
    told: Callable[[], object] = never_cancelled,
    context: EncounterContext = NO_CONTEXT,
) -> tuple[Outcome[Followed], list[LiveValues | Transcript], list[Progress]]:
    seen: list[LiveValues | Transcript] = []
    progress: list[Progress] = []

    def emit(news: LiveValues | Transcript) -> None:
        seen.append(news)
        told()

    outcome = read_file(
        runtimes,
        source=source,
        hotwords=[],
        schema=SCHEMA,
        context=context,
        top_k=9,
        index_folder=folder,
        learned=None,
        channel=Channel(SimpleQueue(), emit),
        monitor=ProgressMonitor(progress.append, cancelled),
    )
    return outcome, seen, progress


def test_the_first_values_come_before_the_transcript_is_complete(
    ward: Runtimes, recording: Path, tmp_path: Path
) -> None:
    outcome, seen, progress = read(ward, recording, tmp_path)
    transcripts = [news for news in seen if isinstance(news, Transcript)]
    assert [one.text for one in transcripts] == [" ".join(SENTENCES)] == [outcome.value.transcript.text]
    first = seen[0]
    assert isinstance(first, LiveValues)
    assert first.values
    assert seen.index(transcripts[0]) > 0
    last = seen[-1]
    assert isinstance(last, LiveValues)
    assert last.values == outcome.value.extraction.proposals.values
    said = [news.text for news in seen if isinstance(news, LiveValues)]
    assert said == sorted(said, key=len)
    assert set(outcome.seconds) == {"transcribe", "reduce", "fill"}
    shares = [report.fraction for report in progress if report.stage == "fill" and report.fraction is not None]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    llm: Any = ward.llm
    assert llm.threads == 4, "what comes afterwards is not slower"


def test_beside_speech_recognition_the_filler_leaves_it_its_threads(
    ward: Runtimes, recording: Path, tmp_path: Path
) -> None:
    read(ward, recording, tmp_path)
    llm: Any = ward.llm
    threads = [count for count, _ in llm.shares]
    assert set(threads) == {2, 4}
    assert threads == sorted(threads)


def test_a_recording_gives_what_its_finished_text_does(ward: Runtimes, recording: Path, tmp_path: Path) -> None:
    found = read(ward, recording, tmp_path)[0].value
    assert found.transcript == transcribe_recording(ward, path=recording, hotwords=[], monitor=NOT_MONITORED).value
    ward.answers.clear()
    assert found == read(ward, found.transcript, tmp_path)[0].value
    assert found.extraction.proposals.values


def test_no_row_is_asked_twice(
    ward: Runtimes, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm: Any = ward.llm
    llm.counted(monkeypatch)
    read(ward, recording, tmp_path)
    assert llm.questions
    assert len(llm.questions) == len(set(llm.questions))


@pytest.mark.parametrize("about_another", ["", "Moving on to bed 14. Nailbeds are blue."])
def test_read_again_for_another_patient_only_what_depends_on_that_is_asked(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, about_another: str
) -> None:
    llm: Any = ward.llm
    llm.counted(monkeypatch)
    said = Transcript(" ".join([*SENTENCES, about_another]).strip())
    marsh, okafor = Person("Marsh, Doreen", "14", "1"), Person("Okafor, Ben", "6", "2")
    first = read(ward, said, tmp_path, context=EncounterContext(None, {}, marsh, (okafor,)))[0].value
    asked = len(llm.questions)
    moved = EncounterContext(None, {}, okafor, (marsh,))
    again = read(ward, said, tmp_path, context=moved)[0].value
    if about_another:
        assert again.extraction.set_aside
        assert again.extraction.proposals != first.extraction.proposals
    else:
        assert len(llm.questions) == asked
        assert again.extraction == first.extraction
    ward.answers.clear()
    assert read(ward, said, tmp_path, context=moved)[0].value.extraction == again.extraction, "as if read at once"


def test_of_a_long_text_each_step_asks_more(ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step weighs all readings again: an hour's dictation would be weighed hundreds of times."""
    monkeypatch.setattr("app.inference.file_session.ONCE", 1)
    llm: Any = ward.llm
    llm.counted(monkeypatch)
    asked: list[int] = []
    read(ward, Transcript(" ".join(SENTENCES)), tmp_path, told=lambda: asked.append(len(llm.questions)))
    steps = [after - before for before, after in zip([0, *asked], asked, strict=False)]
    assert steps[:2] == [0, 1], "what was measured is told before anything is asked"
    assert max(steps) > 1


def test_a_recording_without_a_word_has_no_values(ward: Runtimes, tmp_path: Path) -> None:
    path = tmp_path / "silence.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(64_000))
    outcome, seen, _ = read(ward, path, tmp_path)
    assert outcome.value.transcript.text == ""
    assert outcome.value.extraction.proposals.values == ()
    assert not [news for news in seen if isinstance(news, LiveValues)]


def test_it_stops_while_rows_are_asked(ward: Runtimes, recording: Path, tmp_path: Path) -> None:
    llm: Any = ward.llm
    with pytest.raises(Cancelled):
        read(ward, recording, tmp_path, cancelled=lambda: len(llm.prefixes) > 0)
    assert llm.threads == 4
