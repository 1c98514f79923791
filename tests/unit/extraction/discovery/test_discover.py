"""What dictations say that no row takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extraction.discovery.discover import Covered, Discovery, Note, discover
from extraction.retrieval.index import RowIndex, open_index
from extraction.schema_files.native_format import parse_schema
from models.base.errors import Cancelled
from models.base.progress import ProgressMonitor
from tests.kit.fake_app import SCHEMA as DOCUMENT
from tests.kit.fake_models import FakeEmbedder

SCHEMA = parse_schema(json.dumps(DOCUMENT).encode(), "test")
TEXTS = [f"Heart rate {80 + n}. Pedal bike {10 + n} minutes." for n in range(4)]


@pytest.fixture
def index(tmp_path: Path) -> RowIndex:
    return open_index(SCHEMA, FakeEmbedder(), "fake", tmp_path, monitor=ProgressMonitor())


def notes(texts: list[str], patients: int = 9, *, read: bool = True) -> list[Note]:
    found = []
    for place, text in enumerate(texts):
        end = text.find(".")
        covered = (Covered(0, end, "hr"),) if read else ()
        rows = frozenset({"hr"}) if read else None
        found.append(Note(f"d{place}", f"p{place % patients}", f"Note {place}", text, covered, rows))
    return found


def same(text: str, covered: Covered) -> list[Note]:
    return [Note(f"d{n}", f"p{n}", "", text, (covered,), frozenset({covered.row_id})) for n in range(3)]


def look(given: list[Note], index: RowIndex) -> Discovery:
    return discover(given, SCHEMA, index, FakeEmbedder(), ProgressMonitor())


def test_what_no_value_covers_comes_back_with_its_counts_and_sentences(index: RowIndex) -> None:
    (one,) = look(notes(TEXTS), index).found
    assert (one.name, one.mentions, one.dictations, one.patients) == ("pedal bike minutes", 4, 4, 4)
    assert (one.numbers, one.unit, one.denied) == (1.0, "min", 0.0)
    assert [each.sentence for each in one.examples] == [
        "Pedal bike 10 minutes.",
        "Pedal bike 11 minutes.",
        "Pedal bike 12 minutes.",
    ]
    assert one.near[0][1] >= one.near[1][1]


@pytest.mark.parametrize(("texts", "patients"), [(TEXTS[:2], 9), (TEXTS, 1)])
def test_what_few_dictations_or_one_patient_say_is_not_shown(texts: list[str], patients: int, index: RowIndex) -> None:
    assert look(notes(texts, patients), index).found == ()


def test_what_names_a_row_is_not_shown_though_nothing_was_read(index: RowIndex) -> None:
    assert [one.name for one in look(notes(TEXTS, read=False), index).found] == ["pedal bike minutes"]


def test_a_phrase_with_more_than_its_value_stays(index: RowIndex) -> None:
    texts = ["Heart rate 80 with frequent ectopy." for _ in range(3)]
    given = [
        Note(f"d{n}", f"p{n}", "", text, (Covered(11, 13, "hr"),), frozenset({"hr"})) for n, text in enumerate(texts)
    ]
    assert len(look(given, index).found) == 1


def test_the_name_of_a_value_that_is_its_number_alone_is_nothing_more(index: RowIndex) -> None:
    given = same("Her heart rate is 80.", Covered(18, 20, "hr"))
    assert look(given, index).found == ()


def test_how_complete_the_schema_is(index: RowIndex) -> None:
    found = look(notes(TEXTS), index)
    assert found.with_row == pytest.approx(0.5)
    assert (found.completeness.dictations, found.completeness.mentions, found.completeness.once) == (4, 8, 0)


def test_the_same_dictations_give_the_same(index: RowIndex) -> None:
    assert look(notes(TEXTS), index) == look(notes(TEXTS), index)


def test_it_can_be_stopped(index: RowIndex) -> None:
    with pytest.raises(Cancelled):
        discover(notes(TEXTS), SCHEMA, index, FakeEmbedder(), ProgressMonitor(cancelled=lambda: True))
