"""What the inference process keeps of dictations is emptied on demand, and its models stay loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.inference import tasks
from app.inference.client import Inference
from extraction.preparation.encounter_context import EncounterContext, Person
from models.base.progress import NOT_MONITORED
from models.runtimes.loaded import Runtimes
from speech.transcript import Transcript
from tests.kit.remembered import analysed, caches_of_process, caches_with, remember
from tests.unit.app.inference.test_client import door
from tests.unit.app.inference.test_file_session import read
from tests.unit.app.inference.test_live_session import ward

__all__ = ["door", "ward"]

# words that no example of another test has, which stay in the models that were learned from it
SAID = "Quillfeather sat up. Heart rate is 113 beats per minute, no nausea. Temperature 38.4 Celsius."
CONTEXT = EncounterContext(None, {}, Person("Quillfeather, Ada", "12", "", ""), (Person("Brindle, Otto", "7", "", ""),))


def test_a_cache_that_is_not_emptied_would_be_seen() -> None:
    remember(SAID)
    assert caches_with("Quillfeather") >= {"remember"}
    remember.cache_clear()


def test_no_cache_holds_the_words_of_a_dictation_or_the_names_of_patients(
    ward: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm: Any = ward.llm
    monkeypatch.setitem(tasks._last_matcher, ("fake", ""), object())  # type: ignore[arg-type]
    read(ward, Transcript(SAID), tmp_path, context=CONTEXT)
    read(ward, Transcript(f"{SAID} Otto Brindle fell."), tmp_path, context=CONTEXT)
    assert len(caches_with("Quillfeather")) > 5
    assert caches_with("Brindle")
    assert llm.prefix_length
    tasks.forget_texts(ward, monitor=NOT_MONITORED)
    for words in ("Quillfeather", "113 beats", "Brindle"):
        assert not caches_with(words)
    assert not ward.answers
    assert not tasks._last_matcher
    assert llm.prefix_length == 0
    outcome, _, _ = read(ward, Transcript(SAID), tmp_path)
    assert {value.row_id for value in outcome.value.extraction.proposals.values} >= {"hr", "temp"}


def test_the_process_forgets_them(door: Inference) -> None:
    door.forget_texts()
    assert door.pid is None, "nothing need start to forget"
    door.call("speech", analysed, NOT_MONITORED, text=SAID)
    assert door.call("speech", caches_of_process, NOT_MONITORED, words="Quillfeather")
    running = door.pid
    door.forget_texts()
    assert door.call("speech", caches_of_process, NOT_MONITORED, words="Quillfeather") == set()
    assert door.pid == running
