"""Fitting the mention reader, and what it is taught."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from extraction.annotation.case_files import Case, Observation
from extraction.estimators.mention_reader import LearnedMentionReader, MentionStatus, surroundings
from extraction.estimators.network_weights import load_weights
from fitting.mention_files import MarkedPiece, MarkedValue, read_pieces
from fitting.mentions import Example, examples_of_cases, examples_of_pieces, fit_reader
from models.base.errors import Cancelled, InputError
from models.base.progress import NOT_MONITORED, ProgressMonitor, ignore_progress
from models.runtimes.embedder import TokenRuntime
from tests.kit.small_transformer import small_transformer

LINE = {"id": "m01-r01", "kind": "repair", "text": "Pulse {88|corrected|pulse|} no, {98|current|pulse|14:00} at two."}


def written(folder: Path, **changed: str) -> Path:
    path = folder / "m01.jsonl"
    path.write_text(json.dumps(LINE | changed) + "\n", encoding="utf-8")
    return path


def test_marks_are_read_and_leave_the_text(tmp_path: Path) -> None:
    (piece,) = read_pieces(written(tmp_path))
    assert piece.text == "Pulse 88 no, 98 at two."
    said = [(piece.text[slice(*one.span)], one.status.value) for one in piece.values]
    assert said == [("88", "corrected"), ("98", "current")]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"kind": "poem"}, "“kind” must be one of repair, series, surroundings"),
        ({"text": "Pulse {88|wrong|pulse|}"}, "“wrong” is no status of a value"),
        ({"text": "Pulse {88|current}"}, "a mark needs four parts"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, changed: dict[str, str], fault: str) -> None:
    with pytest.raises(InputError, match=r"Line 1 of m01\.jsonl cannot be used") as caught:
        read_pieces(written(tmp_path, **changed))
    assert fault in caught.value.what


def test_each_marked_value_is_an_example_among_all_values_of_its_text() -> None:
    piece = MarkedPiece("m", "repair", "Pulse 88, resps 18.", (MarkedValue((6, 8), MentionStatus.CURRENT),))
    assert examples_of_pieces([piece]) == [
        Example(piece.text, (6, 8), ((6, 8), (16, 18)), MentionStatus.CURRENT),
    ]


def test_a_number_that_was_charted_is_current_if_its_words_hold_no_other() -> None:
    text = "Pulse 88, resps 18."
    words = ("Pulse 88", "Pulse 88, resps 18", "not there", "")
    case = Case("c", text, tuple(Observation(str(place), 88.0, words=one) for place, one in enumerate(words)))
    assert [text[slice(*one.value)] for one in examples_of_cases([case])] == ["88"]


@pytest.fixture(scope="module")
def transformer() -> TokenRuntime:
    return small_transformer(("pulse", "now", "goal", "for", "him", "51", *map(str, range(60, 100))))


@pytest.fixture(scope="module")
def lesson() -> list[Example]:
    found = []
    for number in range(60, 100):
        for words, status in (("pulse {} now", MentionStatus.CURRENT), ("goal {} for him", MentionStatus.GOAL)):
            text = words.format(number)
            start = text.index(str(number))
            found.append(Example(text, (start, start + 2), ((start, start + 2),), status))
    return found


def test_a_fitted_reader_tells_a_goal_from_a_value(
    lesson: list[Example], transformer: TokenRuntime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fitting.mentions._EPOCHS", 8)
    monkeypatch.setattr("fitting.mentions._WARMUP", 5)
    fit_reader(lesson, transformer, NOT_MONITORED).save(tmp_path / "mentions.npz")
    reader = LearnedMentionReader(load_weights(tmp_path / "mentions.npz"), transformer)
    value, goal = reader.read("pulse 51 now", [(6, 8)])[0], reader.read("goal 51 for him", [(5, 7)])[0]
    assert value.doubt < 0.5 < goal.of(MentionStatus.GOAL)
    assert goal.likeliest() is MentionStatus.GOAL
    assert reader.read("pulse 51 now", [(6, 8)]) == [value]


def test_fitting_changes_a_copy_of_the_embedder(
    lesson: list[Example], transformer: TokenRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fitting.mentions._EPOCHS", 2)
    before = transformer.encode_tokens(["pulse 61 now"])[0][2]
    weights = fit_reader(lesson, transformer, NOT_MONITORED)
    changes = {
        name.removeprefix("encoder."): one for name, one in weights.arrays.items() if name.startswith("encoder.")
    }
    assert np.array_equal(transformer.encode_tokens(["pulse 61 now"])[0][2], before)
    changed = transformer.adapted(changes)
    assert not np.array_equal(changed.encode_tokens(["pulse 61 now"])[0][2], before)
    assert np.array_equal(transformer.encode_tokens(["pulse 61 now"])[0][2], before)
    assert np.array_equal(changed.token_inputs, transformer.token_inputs)


def test_fitting_twice_gives_the_same_weights(
    lesson: list[Example], transformer: TokenRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fitting.mentions._EPOCHS", 1)
    one, other = (fit_reader(lesson, transformer, NOT_MONITORED) for _ in range(2))
    assert one.digest == other.digest


def test_fitting_can_be_cancelled(lesson: list[Example], transformer: TokenRuntime) -> None:
    with pytest.raises(Cancelled):
        fit_reader(lesson, transformer, ProgressMonitor(ignore_progress, lambda: True))


def test_near_values_are_read_in_the_same_surroundings() -> None:
    text = " ".join(f"word{number}" for number in range(200)) + " 88 and 98"
    values = [(text.index(said), text.index(said) + 2) for said in (" 88", " 98")]
    one, other = surroundings(text, values, values)
    assert one.text == other.text
    assert len(one.text.split()) < 100
