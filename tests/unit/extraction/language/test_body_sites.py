"""Sides and sites, as spoken and as written in a chart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from extraction.language.body_sites import (
    NO_PLACE,
    Place,
    place_in,
    place_spans,
    sides_in,
    without_places,
    written_sides,
)
from extraction.language.vocabulary.loader import use_ward_folder
from models.base.errors import InputError
from tests.kit.language import add_words, shipped_words_afterwards


@pytest.mark.parametrize(
    ("text", "side", "sites"),
    [
        ("the left forearm", "left", {"forearm"}),
        ("Right buttocks and both heels", "right", {"buttock", "heel"}),
        ("over the tailbone", "", {"sacrum"}),
        ("left and right hand", "", {"hand"}),
        ("AC", "", {"antecubital"}),
        ("it draws back well", "", set()),
        ("back to bed", "", set()),
        ("on the back", "", {"back"}),
        ("L heel at 5 L", "", {"heel"}),
        ("outright handsome", "", set()),
    ],
)
def test_spoken_places_have_a_side_and_sites(text: str, side: str, sites: set[str]) -> None:
    assert place_in(text) == Place(side, frozenset(sites))


@pytest.mark.parametrize(
    ("text", "side", "sites"),
    [
        ("R AC", "right", {"antecubital"}),
        ("Lt. forearm", "left", {"forearm"}),
        ("LUE", "left", set()),
        ("L/R heel", "", {"heel"}),
        ("right (R)", "right", set()),
        ("L4 spine", "", set()),
    ],
)
def test_written_places_may_abbreviate_the_side(text: str, side: str, sites: set[str]) -> None:
    assert place_in(text, written=True) == Place(side, frozenset(sites))


def test_a_place_without_side_or_site_is_falsy() -> None:
    assert not NO_PLACE
    assert place_in("warm and dry") == NO_PLACE
    assert Place("left").contradicts(Place("right"))
    assert not Place("left").contradicts(Place("", frozenset({"hand"})))


def test_sides_are_searched_within_a_span() -> None:
    text = "left arm, right leg"
    assert (sides_in(text), sides_in(text, 0, 8), sides_in(text, 9)) == ({"left", "right"}, {"left"}, {"right"})


def test_places_can_be_found_and_removed() -> None:
    text = "The left forearm IV"
    assert [text[start:end] for start, end in place_spans(text)] == ["left", "forearm"]
    assert without_places(text).split() == ["The", "IV"]


def test_written_sides_are_marked_if_ambiguous() -> None:
    found = written_sides("Left_arm (L) RUE")
    assert [(one.side, one.short) for one in found] == [("left", False), ("left", True), ("right", False)]


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Path]:
    """Installs a folder of ward vocabularies."""
    use_ward_folder(tmp_path)
    with shipped_words_afterwards():
        yield tmp_path


def test_a_ward_can_add_sites(ward: Path) -> None:
    add_words(ward, "body_sites", '[sites]\nankle = ["Malleolus"]\nshoulder = ["upper  back"]\nstump = []\n')
    use_ward_folder(ward)
    assert place_in("right malleolus").sites == {"ankle"}
    assert place_in("the upper back").sites == {"shoulder"}
    assert place_in("left stump").sites == {"stump"}
    assert place_in("left heel").sites == {"heel"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[sides]\nboth = ["both"]\n', "sides.both is not known; there are: left, right"),
        ("[sites]\nankle = [1]\n", "sites.ankle: “1” is not a word"),
    ],
)
def test_invalid_ward_additions_are_refused(ward: Path, text: str, said: str) -> None:
    add_words(ward, "body_sites", text)
    use_ward_folder(ward)
    with pytest.raises(InputError, match=said):
        place_in("left heel")
