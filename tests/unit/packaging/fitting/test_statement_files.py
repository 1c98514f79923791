"""Files of sentences that state a value of a concept, and the files of the corpus."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import resources
from extraction.flowsheet.naming.row_concepts import concepts
from fitting.statement_files import REASONS, StatedSentence, read_statements
from models.base.errors import InputError

LINE = {
    "concept": "cough",
    "option": "Productive",
    "sentence": "Coughing up green muck.",
    "words": "green muck",
    "holds": True,
    "why": "",
}
FILES = sorted((resources.FOLDER / "corpus" / "statements").glob("*.jsonl"))


def read(path: Path, **changes: object) -> list[StatedSentence]:
    path.write_text(json.dumps(LINE | changes) + "\n", encoding="utf-8")
    return read_statements(path, concepts())


def test_a_line_is_read(tmp_path: Path) -> None:
    (one,) = read(tmp_path / "x.jsonl")
    assert (one.concept, one.option, one.words, one.holds) == ("cough", "Productive", "green muck", True)
    (one,) = read(tmp_path / "x.jsonl", holds=False, why="plan")
    assert not one.holds


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"concept": "couhg"}, "no concept is called “couhg”"),
        ({"option": "Purple"}, "cough has no option “Purple”"),
        ({"option": ""}, "cough has no option “”"),
        ({"words": "yellow muck"}, "“yellow muck” is not in the sentence"),
        ({"words": ""}, "“” is not in the sentence"),
        ({"holds": False}, "“why” must be empty if it holds"),
        ({"holds": False, "why": "weather"}, "“why” must be empty if it holds"),
    ],
)
def test_an_invalid_line_is_named(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=r"Line 1 of x\.jsonl") as raised:
        read(tmp_path / "x.jsonl", **changes)
    assert message in str(raised.value)


@pytest.mark.parametrize("line", ["{", "[]", "{}", '"text"'])
def test_what_is_no_object_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "x.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="it needs concept"):
        read_statements(tmp_path / "x.jsonl", concepts())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_corpus_has_sentences_of_both_kinds(file: Path) -> None:
    found = read_statements(file, concepts())
    kinds = Counter(one.why for one in found)
    assert kinds[""] >= 0.4 * len(found)
    assert all(kinds[why] for why in REASONS)


def test_every_concept_has_sentences() -> None:
    found = {one.concept for file in FILES for one in read_statements(file, concepts())}
    assert len(found) >= 0.95 * len(concepts())
