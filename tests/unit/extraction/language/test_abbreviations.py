"""Abbreviations of row names: the shipped ones are consistent, and a ward adds its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.contract.names.expansion import expand_names
from extraction.contract.names.records import NamedRow
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.loader import use_ward_folder
from models.base.errors import InputError
from tests.kit.language import add_words, shipped_words_afterwards


def test_every_listed_unit_capital_and_prefix_is_in_lower_case_and_every_capital_has_a_meaning() -> None:
    lists = abbreviations()
    assert all(one == one.lower() for one in (*lists.meanings, *lists.units, *lists.prefixes))
    assert lists.capitals <= lists.meanings.keys()
    assert len(lists.meanings) > 500


def test_a_ward_adds_an_abbreviation_and_a_meaning(tmp_path: Path) -> None:
    add_words(tmp_path, "abbreviations", '[one]\nzqx = "zorkelian level"\n[several.str]\n"straight leg" = ["raise"]\n')
    with shipped_words_afterwards():
        use_ward_folder(tmp_path)
        names = [one.name for one in expand_names([NamedRow("1", "ZQX"), NamedRow("2", "Str Raise")])]
    assert names == ["Zorkelian level", "Straight Leg Raise"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('[one]\nzqx = "BP level"\n', "holds the abbreviation “bp”"),
        ('[one]\nzqx = " "\n', "is not a word"),
        ('[several.zqx]\nlevel = "zork"\n', "needs a list"),
        ('[usual]\nstr = "zork"\n', "none of its meanings"),
    ],
)
def test_an_addition_that_cannot_be_used_is_refused(tmp_path: Path, content: str, fault: str) -> None:
    add_words(tmp_path, "abbreviations", content)
    with shipped_words_afterwards():
        use_ward_folder(tmp_path)
        with pytest.raises(InputError, match=fault):
            abbreviations()
