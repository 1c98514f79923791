"""The corpus and the blind set: readable, graded, with quotes that the texts hold, and nothing in common."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import resources
from extraction.annotation.case_files import read_cases
from extraction.annotation.grading import Grader
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import load_schema

CORPUS = resources.FOLDER / "corpus"
BLIND = Path(__file__).parents[3] / "blind"
FILES = sorted((CORPUS / "cases").glob("*.jsonl"))
BLIND_FILES = sorted(BLIND.glob("*/*.jsonl"))


def schema_of(path: Path) -> Schema | None:
    """The schema of a file; None for one that is not part of the project."""
    name = "medsurg_icu" if path.is_relative_to(BLIND) else path.name.partition(".")[0]
    found = [folder / f"{name}.json" for folder in (CORPUS / "schemas", resources.FOLDER / "schemas")]
    return next((load_schema(one) for one in found if one.exists()), None)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", [*FILES, *BLIND_FILES], ids=lambda path: path.stem)
def test_every_file_is_graded_and_every_quote_is_in_its_text(path: Path) -> None:
    for line in lines_of(path):
        for entry in (*line["observations"], *line["acceptable"], *line["forbidden"]):
            assert entry["words"] in line["transcript"], (line["id"], entry)


@pytest.mark.parametrize("path", [*FILES, *BLIND_FILES], ids=lambda path: path.stem)
def test_the_gold_itself_is_perfect_and_hits_no_trap(path: Path) -> None:
    schema = schema_of(path)
    if schema is None:
        pytest.skip("its schema is not part of the project")
    cases = read_cases(path, schema)
    assert cases.warnings == ()
    grader = Grader(schema)
    for case in cases.cases:
        found = grader.grade(case, [(one.row_id, one.value) for one in case.observations])
        assert (found.missed, found.wrong, found.hit) == ((), (), ()), case.id


def test_no_text_is_twice_in_corpus_and_blind_set() -> None:
    lines = [line for path in (*FILES, *BLIND_FILES) for line in lines_of(path)]
    assert len({line["id"] for line in lines}) == len(lines)
    assert len({line["transcript"] for line in lines}) == len(lines)
    assert len(lines) == 25 * len(FILES) + 360
