"""Values while somebody speaks: only what is new is asked, and in the end it is as if it had been filled at once."""

from __future__ import annotations

import datetime as dt
import queue
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.inference import live_listener
from app.inference.file_session import read_file
from app.inference.live_events import Followed, LiveValues, LiveWords
from app.inference.live_listener import LiveListener, Processor
from app.inference.live_session import follow_recording
from app.inference.tasks import index_of
from app.inference.usage import Outcome
from extraction.confidence import learned_models
from extraction.extractor import Extraction
from extraction.filling.rowwise import RowwiseFiller
from extraction.filling.task import Reading
from extraction.growing_extraction import GrowingExtraction
from extraction.language.sentences import segment, whole_sentences
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.retrieval import reduction
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.embedding_cache import KeptVectors
from extraction.retrieval.index import open_index
from models.base.errors import Cancelled, ResourceError
from models.base.progress import NOT_MONITORED, ProgressMonitor, ignore_progress, never_cancelled
from models.process.messages import Channel
from models.runtimes.closed_questions import Answer, Question, ask
from models.runtimes.llm import TokenEntry
from models.runtimes.loaded import Runtimes
from speech.live_transcriber import LiveTranscriber
from speech.transcript import Transcript
from tests.kit.fake_models import FakeEmbedder, FakeLlm, runtimes_of, sentence_and_row
from tests.kit.fake_speech import HearingWhisper, spoken
from tests.kit.patience import PATIENCE_SECONDS
from tests.unit.extraction.test_extractor import SCHEMA, TODAY, EveryRow

SENTENCES = (
    "Her nailbed color is pale.",
    "Heart rate is 110 beats per minute.",
    "Breath sounds are diminished.",
    "Temperature 38.4 Celsius.",
    "She denies nausea.",
    "Nailbed color is cyanotic now.",
)
SCRIPT = {"Nailbed": "pale", "Heart rate": "110", "Temperature": "38.4", "Breath": "diminished", "Nausea": "No"}


def by_script(question: str) -> str:
    sentence, row = sentence_and_row(question)
    if row.startswith("Nailbed"):
        return " cyanotic" if "cyanotic" in sentence else " pale"
    return next((f" {answer}" for start, answer in SCRIPT.items() if row.startswith(start)), " not mentioned")


class CountingLlm(FakeLlm):
    """Notes every prefix that is read, the threads and the size of chunk at each decoding, and, where `counted` was
    called, every question that is asked."""

    def __init__(self, script: Callable[[str], str]) -> None:
        super().__init__(script, context_tokens=100_000)
        self.questions: list[Question] = []
        self.prefixes: list[str] = []
        self.shares: list[tuple[int, int]] = []

    def set_prefix(self, before: str, parts: Sequence[str], after: str, cancelled: Any) -> list[int]:
        self.prefixes.append("".join(parts))
        return super().set_prefix(before, parts, after, cancelled)

    def decode(self, entries: Sequence[TokenEntry], spare: int = 0) -> None:
        self.shares.append((self.threads, self.chunk_tokens))
        super().decode(entries, spare)

    def counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def noted(llm: Any, questions: Sequence[Question], *monitor: Any) -> list[Answer]:
            self.questions += questions
            return ask(llm, questions, *monitor)

        monkeypatch.setattr("extraction.filling.rowwise.ask", noted)


BESIDE = EncounterContext(dt.datetime.combine(TODAY, dt.time(12)).astimezone())


Reader = tuple[GrowingExtraction, CountingLlm]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    llm, vectors = CountingLlm(by_script), KeptVectors(FakeEmbedder())
    llm.counted(monkeypatch)
    index = open_index(SCHEMA, vectors, "fake", tmp_path, monitor=NOT_MONITORED)

    def reduced(segments: Any) -> ReducedSchema:
        return reduction.reduce(SCHEMA, segments, index, vectors, 9, EveryRow())  # type: ignore[arg-type]

    filler: Any = RowwiseFiller(llm)  # type: ignore[arg-type]
    return GrowingExtraction(SCHEMA, BESIDE, filler, reduced, learned_models.shipped(), None, NOT_MONITORED), llm


def texts() -> list[str]:
    return [" ".join(SENTENCES[: count + 1]) for count in range(len(SENTENCES))]


def read_out(growing: GrowingExtraction, text: str) -> list[Reading]:
    growing.read(text)
    while not growing.covers(text):
        growing.read(text)
    return growing.readings


def test_no_question_is_asked_twice_and_the_text_only_grows(reader: Reader) -> None:
    growing, llm = reader
    for text in texts():
        read_out(growing, text)
        before = len(llm.questions)
        read_out(growing, text)
        assert len(llm.questions) == before, "what is known is not asked again"
    assert llm.questions
    assert len(llm.questions) == len(set(llm.questions))
    for former, text in pairwise(llm.prefixes):
        assert text.startswith(former)


def test_what_was_read_ahead_is_not_asked_again(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    growing, llm = reader
    before, whole = texts()[1], texts()[2]
    known = read_out(growing, before)
    asked = len(llm.questions)
    assert growing.read_ahead(whole)
    assert asked < len(llm.questions) <= asked + 2, "nothing should have to wait for it"
    while growing.read_ahead(whole):
        pass
    monkeypatch.setattr(growing, "_reduce", None)  # nor is it reduced again
    growing.read(before)
    assert growing.readings == known
    ahead = len(llm.questions)
    growing.read(whole)
    assert growing.covers(whole)
    assert len(llm.questions) == ahead


def test_what_was_heard_in_passing_is_read_ahead_and_charted_only_when_it_is_written(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, given, seen = spoken(WORDS), queue.SimpleQueue[bytes | None](), list[LiveWords | LiveValues]()
    usual, third = GrowingExtraction.read_ahead, len(sound) // 6 * 2  # bytes of whole samples
    rest = [sound[third:], None]

    def noted(growing: GrowingExtraction, text: str) -> bool:
        is_new = usual(growing, text)
        while is_new and rest:
            assert text.startswith(SENTENCES[0])
            assert not [news for news in seen if isinstance(news, LiveValues)]
            given.put(rest.pop(0))
        return is_new

    monkeypatch.setattr(GrowingExtraction, "read_ahead", noted)
    monkeypatch.setattr(LiveTranscriber, "unsettled", False)
    given.put(sound[:third])
    found = followed(ward, tmp_path, Channel(given, seen.append)).value
    written = {news.final for news in seen if isinstance(news, LiveWords)}
    assert {news.text for news in seen if isinstance(news, LiveValues)} <= written
    assert {value.row_id for value in found.extraction.proposals.values} >= {"hr", "temp"}


def test_other_capitals_ask_nothing_again(reader: Reader) -> None:
    growing, llm = reader
    read_out(growing, "Nailbed Color is pale. Heart rate is 110.")
    before = len(llm.questions)
    read = read_out(growing, "Nailbed color is pale. Heart rate is 110.")
    assert len(llm.questions) == before
    assert "Nailbed color is pale." in {one.segment.text for one in read}
    read_out(growing, "Nailbed color is dusky. Heart rate is 110.")
    assert len(llm.questions) > before


def test_in_the_end_the_readings_are_those_of_the_whole_text(reader: Reader) -> None:
    growing, _ = reader
    for text in texts():
        read_out(growing, text)
    at_once = RowwiseFiller(FakeLlm(by_script, context_tokens=100_000)).read(  # type: ignore[arg-type]
        growing.prepared.task, NOT_MONITORED
    )

    def told(readings: Any) -> set[tuple[Any, ...]]:
        return {
            (one.row.id, one.value, one.segment, one.span, one.rank, round(one.mentioned, 9), round(one.probability, 9))
            for one in readings
        }

    assert told(growing.readings) == told(at_once)
    assert growing.prepared.task.segments == segment(texts()[-1])


def test_what_is_taken_back_later_is_not_read_any_more(reader: Reader) -> None:
    growing, _ = reader
    read = read_out(growing, "Nailbed color pale.")
    assert [one.value for one in read if one.row.id == "nail" and one.rank == 0] == ["pale"]
    read = read_out(growing, "Nailbed color pale. Correction, nailbed color cyanotic.")
    assert [one.value for one in read if one.row.id == "nail" and one.rank == 0] == ["cyanotic"]
    assert "pale" not in growing.prepared.task.text


def test_later_words_change_an_earlier_value(reader: Reader) -> None:
    growing, _ = reader

    def nail(text: str) -> Any:
        readings = [one for one in read_out(growing, text) if one.row.id == "nail" and one.rank == 0]
        return readings[0].value

    assert nail("The nailbed looks pale to me.") == "pale"
    assert nail("The nailbed looks pale to me. Nailbed color cyanotic.") == "cyanotic"


def test_questions_are_asked_in_small_batches(reader: Reader) -> None:
    growing, llm = reader
    growing.read(texts()[-1], 2)
    assert growing.left
    assert not growing.covers(texts()[-1])
    assert len(llm.questions) == 2
    first = growing.readings
    assert len(read_out(growing, texts()[-1])) > len(first)


def test_likely_rows_are_asked_first(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    growing, llm = reader
    usual, likely = growing._reduce, {"nausea", "nail"}

    def reduced(segments: Any) -> ReducedSchema:
        found = usual(segments).candidates
        return ReducedSchema(tuple(replace(one, prior=0.9 if one.row_id in likely else 0.2) for one in found))

    monkeypatch.setattr(growing, "_reduce", reduced)
    growing.read(texts()[-1], 2)
    assert {re.split(r" [\[(]| in |:", question.prompt)[0] for question in llm.questions} == {
        SCHEMA.row(row_id).name for row_id in likely
    }


def test_of_a_long_text_the_last_window_alone_is_read(reader: Reader) -> None:
    growing, llm = reader
    begun = f"{texts()[1]} " + " ".join(f"She said word number w{place} to him again today." for place in range(120))
    read_out(growing, begun)
    llm.prefixes.clear()
    read = read_out(growing, f"{begun} Breath sounds are diminished. Heart rate is 90.")
    assert llm.prefixes
    assert all("pale" not in prefix and prefix.endswith('90."\n') for prefix in llm.prefixes)
    assert ("diminished",) in {one.value for one in read}


def test_each_text_is_embedded_once() -> None:
    embedder = FakeEmbedder()
    kept = KeptVectors(embedder)
    first = kept.encode(["a b", "c"])
    second = kept.encode(["c", "d", "a b"])
    assert embedder.encoded == ["a b", "c", "d"]
    assert np.array_equal(second[[2, 0]], first)


# a pause after each sentence
WORDS = [word for sentence in SENTENCES for word in [*sentence.split(), "", "", "", ""]]


def follow(
    runtimes: Runtimes, folder: Path, words: list[str], cancelled: Callable[[], bool] = never_cancelled
) -> tuple[Outcome[Followed], list[LiveWords | LiveValues]]:
    """A dictation that goes on by a second each time something was heard in it."""
    sound, seen = spoken(words), list[LiveWords | LiveValues]()
    blocks = [sound[start : start + 32_000] for start in range(0, len(sound), 32_000)]
    given: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def go_on() -> None:
        given.put(blocks.pop(0) if blocks else None)

    def told(news: LiveWords | LiveValues) -> None:
        seen.append(news)
        if isinstance(news, LiveWords):
            go_on()

    go_on()
    return followed(runtimes, folder, Channel(given, told), cancelled), seen


def followed(
    runtimes: Runtimes,
    folder: Path,
    channel: Channel,
    cancelled: Callable[[], bool] = never_cancelled,
    *,
    to_the_end: bool = True,
) -> Outcome[Followed]:
    return follow_recording(
        runtimes,
        schema=SCHEMA,
        context=NO_CONTEXT,
        hotwords=[],
        top_k=9,
        index_folder=folder,
        learned=None,
        to_the_end=to_the_end,
        channel=channel,
        monitor=ProgressMonitor(ignore_progress, cancelled),
    )


@pytest.fixture
def ward(monkeypatch: pytest.MonkeyPatch) -> Runtimes:
    """The models, with everything kept and weighed plainly."""
    monkeypatch.setattr(live_listener, "LISTEN_SECONDS", 0.0)
    known = replace(learned_models.shipped(), prior=EveryRow())
    monkeypatch.setattr("app.inference.tasks.shipped", lambda _: known)
    models = {"whisper": HearingWhisper(words=WORDS), "llm": CountingLlm(by_script), "embedder": FakeEmbedder()}
    return runtimes_of(**models)


def test_words_and_values_come_while_somebody_speaks(ward: Runtimes, tmp_path: Path) -> None:
    outcome, seen = follow(ward, tmp_path, WORDS)
    found = outcome.value
    words = [news for news in seen if isinstance(news, LiveWords)]
    values = [news for news in seen if isinstance(news, LiveValues)]
    assert found.transcript.text == " ".join(SENTENCES) == words[-1].final
    assert all(after.final.startswith(before.final) for before, after in pairwise(words))
    assert values[-1].values == found.extraction.proposals.values
    assert seen.index(values[0]) < len(seen) // 2, "the first values come long before the end"
    assert [news.text for news in values] == sorted((news.text for news in values), key=len)
    assert set(outcome.seconds) == {"transcribe", "reduce", "fill"}
    llm: Any = ward.llm
    assert llm.threads == 4
    assert outcome.prompt_tokens > 0
    assert ward.llm.chunk_tokens == 256


def test_after_transcription_the_filler_gets_every_thread(ward: Runtimes, tmp_path: Path) -> None:
    llm: Any = ward.llm
    sound, given = spoken(WORDS), queue.SimpleQueue[bytes | None]()
    half = len(sound) // 4 * 2  # bytes of whole samples
    rest = [sound[half:], None]

    def told(news: LiveWords | LiveValues) -> None:
        if rest and llm.shares and isinstance(news, LiveValues):
            while rest:
                given.put(rest.pop(0))
            listening = next(thread for thread in threading.enumerate() if thread.name == "listening")
            listening.join(PATIENCE_SECONDS)
            assert not listening.is_alive()

    given.put(sound[:half])
    followed(ward, tmp_path, Channel(given, told))
    chunks = [chunk for _, chunk in llm.shares]
    assert chunks == sorted(chunks)
    assert (chunks[0], llm.shares[-1], llm.chunk_tokens) == (48, (4, 256), 256)


def test_who_listens_goes_first_and_the_filler_has_what_is_left() -> None:
    llm, embedder = FakeLlm(by_script), FakeEmbedder()
    processor = Processor(runtimes_of(llm=llm, embedder=embedder))
    begun, may_end = threading.Event(), threading.Event()

    def listen() -> None:
        with processor.listening():
            begun.set()
            may_end.wait(PATIENCE_SECONDS)

    processor.begin()
    assert (llm.threads, embedder.threads) == (4, 4)
    thread = threading.Thread(target=listen)
    thread.start()
    assert not begun.wait(0.2), "a piece with all threads is under way"
    processor.begin()
    assert begun.wait(PATIENCE_SECONDS)
    assert (llm.threads, embedder.threads) == (2, 2)
    may_end.set()
    thread.join()
    with processor.listening():
        processor.begin()
        assert (llm.threads, embedder.threads) == (2, 2)
    processor.leave()
    assert (llm.threads, embedder.threads) == (4, 4), "what comes afterwards is not slower"
    processor.begin()
    assert llm.threads == 4
    processor.rest()
    with processor.listening():
        pass


def test_the_end_of_a_recording_is_transcribed_before_a_draft_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_listener, "LISTEN_SECONDS", 10 * PATIENCE_SECONDS)
    given: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    words = LiveTranscriber(HearingWhisper(words=WORDS), [])  # type: ignore[arg-type]
    given.put(spoken(WORDS))
    with LiveListener(words, Channel(given, lambda _: given.put(None)), Processor(runtimes_of())) as listener:
        while not listener.finished:
            listener.wait()
    assert listener.text == " ".join(SENTENCES)


def test_what_is_written_with_care_is_given_up_for_the_last_window(monkeypatch: pytest.MonkeyPatch) -> None:
    given: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    words = LiveTranscriber(HearingWhisper(words=WORDS), [])  # type: ignore[arg-type]
    settle, given_up = words.settle, list[bool]()

    def while_it_ends(hurried: Callable[[], bool]) -> bool:
        given.put(None)
        settled = settle(hurried)
        given_up.append(not settled)
        return settled

    monkeypatch.setattr(words, "settle", while_it_ends)
    given.put(spoken(WORDS))
    with LiveListener(words, Channel(given, lambda _: None), Processor(runtimes_of())) as listener:
        while not listener.finished:
            listener.wait()
    assert given_up == [True]
    assert listener.text == " ".join(SENTENCES)


def test_what_goes_wrong_in_the_listening_is_raised_where_the_words_are_waited_for(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise ResourceError("Whisper found no memory.", "Close other programs.")

    monkeypatch.setattr(ward.whisper, "speech", breaks)
    with pytest.raises(ResourceError, match="no memory"):
        follow(ward, tmp_path, WORDS)
    assert "listening" not in [thread.name for thread in threading.enumerate()]


def at_once(runtimes: Runtimes, transcript: Transcript, folder: Path) -> Extraction:
    """What a finished text gives."""
    return read_file(
        runtimes,
        source=transcript,
        schema=SCHEMA,
        context=NO_CONTEXT,
        hotwords=[],
        top_k=9,
        index_folder=folder,
        learned=None,
        channel=Channel(queue.SimpleQueue(), lambda _: None),
        monitor=NOT_MONITORED,
    ).value.extraction


def test_the_live_result_equals_the_result_of_the_finished_text(ward: Runtimes, tmp_path: Path) -> None:
    found = follow(ward, tmp_path, WORDS)[0].value
    ward.answers.clear()
    whole = at_once(ward, found.transcript, tmp_path)
    assert whole.proposals.values
    assert found.extraction == whole


def test_a_recording_without_a_word_has_no_values(ward: Runtimes, tmp_path: Path) -> None:
    outcome, seen = follow(ward, tmp_path, [""] * 6)
    assert outcome.value.transcript.text == ""
    assert outcome.value.extraction.proposals.values == ()
    assert not [news for news in seen if isinstance(news, LiveValues)]


def test_the_transcript_is_complete_even_if_values_are_not_wanted_after_the_end(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded_late(*given: Any) -> Any:
        for thread in threading.enumerate():
            if thread.name == "listening":
                thread.join()
        return index_of(*given)

    monkeypatch.setattr(
        "app.inference.live_session.index_of", loaded_late
    )  # all is written down before anything can be read
    given: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    given.put(spoken(WORDS))
    given.put(None)
    seen: list[LiveWords | LiveValues] = []
    found = followed(ward, tmp_path, Channel(given, seen.append), to_the_end=False).value
    assert found.transcript.text == " ".join(SENTENCES)
    assert found.extraction.proposals.values == ()
    assert [news.final for news in seen if isinstance(news, LiveWords)] == [" ".join(SENTENCES)]
    llm: Any = ward.llm
    assert (llm.prefixes, llm.chunk_tokens) == ([], 256)


def test_what_was_read_while_it_was_spoken_is_not_asked_again_of_the_finished_text(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm: Any = ward.llm
    llm.counted(monkeypatch)
    llm: Any = ward.llm
    sound, given = spoken(WORDS), queue.SimpleQueue[bytes | None]()
    half = len(sound) // 4 * 2  # bytes of whole samples
    rest = [sound[half:], None]

    def told(news: LiveWords | LiveValues) -> None:
        while rest and isinstance(news, LiveValues):
            given.put(rest.pop(0))

    given.put(sound[:half])
    found = followed(ward, tmp_path, Channel(given, told), to_the_end=False).value
    assert found.transcript.text == " ".join(SENTENCES)
    while_it_was_spoken = len(llm.questions)
    again = at_once(ward, found.transcript, tmp_path)
    left = len(llm.questions) - while_it_was_spoken
    ward.answers.clear()
    assert at_once(ward, found.transcript, tmp_path) == again
    whole = len(llm.questions) - while_it_was_spoken - left
    assert 0 < whole - left <= while_it_was_spoken


def test_stopping_in_the_middle(ward: Runtimes, tmp_path: Path) -> None:
    llm: Any = ward.llm
    with pytest.raises(Cancelled):
        follow(ward, tmp_path, WORDS, cancelled=lambda: len(llm.prefixes) > 0)
    assert llm.chunk_tokens == 256


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Heart rate is 112. She", "Heart rate is 112."),
        ("Temperature is 38.4 degrees", ""),
        ("Pain? No! She is at 38.", "Pain? No! She is at 38."),
        ("He has no chest", ""),
        ("She is awake. Seen by Dr.", "She is awake."),
        ("", ""),
    ],
)
def test_an_unfinished_sentence_is_not_read(text: str, whole: str) -> None:
    assert whole_sentences(text) == whole
