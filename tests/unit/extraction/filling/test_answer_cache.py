"""Answers from live dictation are reused for the finished text if nothing before them changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from extraction.filling.answer_cache import Answers, CachingFiller
from extraction.filling.rowwise import RowwiseFiller
from extraction.filling.task import Reading, Task
from extraction.language.sentences import segment
from extraction.retrieval import reduction
from extraction.retrieval.index import open_index
from models.base.progress import NOT_MONITORED
from tests.kit.fake_models import FakeEmbedder
from tests.unit.app.inference.test_live_session import CountingLlm, by_script
from tests.unit.extraction.test_extractor import SCHEMA, TODAY, EveryRow

TEXT = "Her nailbed color is pale. Heart rate is 110 beats per minute. Breath sounds are diminished."
Read = Callable[[RowwiseFiller, str], list[Reading]]


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> CountingLlm:
    found = CountingLlm(by_script)
    found.counted(monkeypatch)
    return found


@pytest.fixture
def read(tmp_path: Path) -> Read:
    embedder = FakeEmbedder()
    index = open_index(SCHEMA, embedder, "fake", tmp_path, monitor=NOT_MONITORED)

    def reading(filler: RowwiseFiller, text: str) -> list[Reading]:
        segments = segment(text)
        reduced = reduction.reduce(SCHEMA, segments, index, embedder, 9, EveryRow())
        return filler.read(Task(text, segments, SCHEMA, reduced, TODAY), NOT_MONITORED)

    return reading


@pytest.mark.parametrize(
    ("finished", "anew"),
    [
        (TEXT, []),
        (f"{TEXT} Temperature 38.4 Celsius.", ["Temperature"]),
        (TEXT.replace("diminished", "clear"), ["Breath sounds"]),
        (TEXT.replace("110", "118"), ["Breath sounds", "Heart rate"]),
        (f"She is awake. {TEXT}", ["Breath sounds", "Heart rate", "Nailbed color"]),
    ],
)
def test_questions_after_changed_words_are_asked_again(
    llm: CountingLlm, read: Read, finished: str, anew: list[str]
) -> None:
    answers: Answers = {}
    noted = read(CachingFiller(llm, answers), TEXT)  # type: ignore[arg-type]
    llm.questions.clear()
    recalled = read(CachingFiller(llm, answers), finished)  # type: ignore[arg-type]
    about = {question.prompt.split(" [")[0].split(" in ")[0].split(":")[0] for question in llm.questions}
    assert {row for row in about if row in ("Breath sounds", "Heart rate", "Nailbed color", "Temperature")} == set(anew)
    assert recalled == read(RowwiseFiller(llm), finished)  # type: ignore[arg-type]
    assert (recalled == noted) == (finished == TEXT)


def test_the_same_text_is_asked_only_once(llm: CountingLlm, read: Read) -> None:
    answers: Answers = {}
    read(CachingFiller(llm, answers), TEXT)  # type: ignore[arg-type]
    asked = len(llm.questions)
    assert len(answers) == asked
    prefixes = len(llm.prefixes)
    read(CachingFiller(llm, answers), TEXT)  # type: ignore[arg-type]
    assert (len(llm.questions), len(llm.prefixes)) == (asked, prefixes), "the text is not read again either"


def test_the_latest_answers_are_kept(llm: CountingLlm, read: Read) -> None:
    answers: Answers = {}
    for _ in range(2):
        read(CachingFiller(llm, answers, 3), TEXT)  # type: ignore[arg-type]
    assert len(answers) == 3
    llm.questions.clear()
    read(CachingFiller(llm, answers), TEXT)  # type: ignore[arg-type]
    whole = len(llm.questions) + 3
    llm.questions.clear()
    read(RowwiseFiller(llm), TEXT)  # type: ignore[arg-type]
    assert len(llm.questions) == whole


def test_the_cache_does_not_reveal_the_text(llm: CountingLlm, read: Read) -> None:
    answers: Answers = {}
    read(CachingFiller(llm, answers), TEXT)  # type: ignore[arg-type]
    assert answers
    assert all(len(key) == 32 for key in answers)
