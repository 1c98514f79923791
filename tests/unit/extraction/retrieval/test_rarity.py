"""How much the words of a schema identify a row."""

from __future__ import annotations

import math

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.language.vocabulary.words import stems
from extraction.retrieval.rarity import NameRarity, rarity_of


def select(row_id: str, name: str, *options: str) -> Row:
    return Row(row_id, name, ValueType.SINGLE_SELECT, ("Assessment",), tuple(map(Option, options)))


SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        select("1", "Zorb drain output", "Murky", "Clear"),
        select("2", "Zorb drain site", "Clear", "Sore"),
        select("3", "Blick drain output", "Clear", "Absent"),
    ),
    "0" * 64,
    "t",
)


def test_a_word_that_fewer_rows_have_weighs_more() -> None:
    rarity = rarity_of(SCHEMA)
    common, rare = rarity.name("1", stems("the drain")), rarity.name("1", stems("the zorb"))
    assert 0 < common.share < rare.share < 1
    assert common.rarest < rare.rarest
    assert rarity.name("1", stems("zorb drain output")).share == 1.0
    assert rarity.name("3", stems("nothing of it")) == NameRarity(0.0, 0.0)


def test_an_option_of_one_row_has_one_owner() -> None:
    rarity = rarity_of(SCHEMA)
    own, shared = rarity.options("1", stems("looks murky")), rarity.options("1", stems("looks clear"))
    assert own.owners == 0.0
    assert math.isclose(shared.owners, math.log(3))
    assert own.weight > shared.weight > 0
    assert (own.share, shared.share) == (1.0, 1.0)


def test_only_the_options_asked_for_count() -> None:
    found = rarity_of(SCHEMA).options("1", stems("murky now, clear before"), ["Clear"])
    assert math.isclose(found.owners, math.log(3))
    nothing = rarity_of(SCHEMA).options("1", stems("looks murky"), ["Clear"])
    assert (nothing.weight, nothing.share, math.isnan(nothing.owners)) == (0.0, 0.0, True)
