"""Peripheral lines told by their size and place, in a sentence."""

from __future__ import annotations

import re

import pytest

from extraction.language.described_lines import described_lines

SITES = re.compile(r"(?<!\w)(?:(?:hand|wrist|forearm|FA|AC|antecubital|upper arm|foot)s?|arms?)(?!\w)", re.IGNORECASE)


def told(text: str) -> list[tuple[str, str, int]]:
    """Side, site and size of each line."""
    return [(one.side, text[slice(*one.site)], one.gauge) for one in described_lines(text, SITES)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("18 gauge in the left forearm.", [("left", "forearm", 18)]),
        ("I put a twenty-two in his right hand.", [("right", "hand", 22)]),
        ("IV is a 20 in the L AC.", [("left", "AC", 20)]),
        ("PIVs: R FA 20g, L wrist 22.", [("right", "FA", 20), ("left", "wrist", 22)]),
        ("R AC 18 and L hand 20 SL", [("right", "AC", 18), ("left", "hand", 20)]),
        ("Two 20s, right forearm and left hand.", [("right", "forearm", 20), ("left", "hand", 20)]),
        ("A pair of sixteens, both ACs.", [("left", "ACs", 16), ("right", "ACs", 16)]),
        ("The left wrist one, the twenty, is locked.", [("left", "wrist", 20)]),
        ("IV in the forearm on the right, no trouble.", [("right", "forearm", 0)]),
        ("Potassium via the left forearm.", [("left", "forearm", 0)]),
        ("Maintenance running at 75 in the left hand.", [("left", "hand", 0)]),
        ("He pulled the IV in his left arm.", [("left", "arm", 0)]),
    ],
)
def test_lines_of_a_sentence(text: str, lines: list[tuple[str, str, int]]) -> None:
    assert told(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "Skin tear on the left hand, 2 by 3 centimeters.",
        "Pain going down into the left arm.",
        "Numbness running into the right hand.",
        "BP in the left arm 118 over 70.",
        "Art line in the left wrist, 20 cm of tubing.",
        "A line left wrist zeroed.",
        "Right hand 20 minutes in the splint.",
        "Grip is strong, left hand 20/30.",
        "IV antibiotics, left hand elevated.",
        "Edema 2 plus in the left foot.",
        "Heart rate 88, left forearm bruised.",
    ],
)
def test_a_place_alone_is_no_line(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("R AC 18g, SL.", [["Saline locked"]]),
        ("20 in the left forearm, running, 22 in the right hand is locked.", [["Infusing"], ["Saline locked"]]),
        ("20 in the left hand and 18 in the right AC, both flush well.", [["Flushes easily"], ["Flushes easily"]]),
        ("Removed the left forearm IV, tip intact.", [["Removed"]]),
        ("LR at 100 an hour through the left forearm.", [["Infusing"]]),
        ("18 gauge left forearm, site clean.", [[]]),
    ],
)
def test_states_are_those_of_the_line_beside_them(text: str, states: list[list[str]]) -> None:
    assert [[name for name, _ in one.states] for one in described_lines(text, SITES)] == states


def test_a_line_may_be_called_by_its_number() -> None:
    text = "Second IV is an 18 in the left AC, the first one's a 22 right hand."
    assert [(one.number, one.gauge) for one in described_lines(text, SITES)] == [(2, 18), (1, 22)]
