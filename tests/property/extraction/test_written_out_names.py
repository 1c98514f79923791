"""Written-out names of arbitrary rows: no word is lost, and neither order nor a second time changes anything."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from extraction.contract.names.expansion import expand_names
from extraction.contract.names.name_text import tokens_of
from extraction.contract.names.records import NamedRow
from extraction.language.vocabulary.abbreviations import abbreviations

short = st.sampled_from(sorted(abbreviations().meanings))
words = st.one_of(
    short, short.map(str.upper), short.map(str.capitalize), st.text("aeBRLntz", min_size=1, max_size=7),
    st.sampled_from(("Lung", "pain", "upper", "Pulse", "R", "L", "1", "PIV2", "(mg/hr)", "5 min", "Ausc.", "Zrkl")),
    st.just("zorkelian"),
)  # fmt: skip
names = st.lists(words, min_size=1, max_size=4).flatmap(
    lambda parts: st.sampled_from((" ", " ", " ", "/", "-", " (", ", ")).map(lambda joint: joint.join(parts))
)
rows = st.lists(
    st.builds(
        NamedRow, st.uuids().map(str), names, st.lists(names, max_size=1).map(tuple),
        st.lists(names, max_size=2).map(tuple), st.lists(names, max_size=3).map(tuple), st.sampled_from(("", "mL")),
    ),
    max_size=6,
    unique_by=lambda row: row.id,
)  # fmt: skip


@given(rows, st.lists(names, max_size=2))
def test_every_word_keeps_its_place(given_rows: list[NamedRow], texts: list[str]) -> None:
    for row, one in zip(given_rows, expand_names(given_rows, texts), strict=True):
        assert [token.text for token in one.tokens] == tokens_of(row.name)
        rest = one.name.casefold()
        for token in one.tokens:
            written = (token.meaning.text if token.meaning else token.text).casefold()
            assert written in rest
            rest = rest.partition(written)[2]


@given(rows, st.lists(names, max_size=2), st.randoms())
def test_the_order_of_rows_and_texts_changes_nothing(
    given_rows: list[NamedRow], texts: list[str], chance: random.Random
) -> None:
    first = {one.row_id: one for one in expand_names(given_rows, texts)}
    shuffled = chance.sample(given_rows, len(given_rows))
    assert {one.row_id: one for one in expand_names(shuffled, chance.sample(texts, len(texts)))} == first


@given(rows, st.lists(names, max_size=2))
def test_a_name_that_was_written_out_stays(given_rows: list[NamedRow], texts: list[str]) -> None:
    once = expand_names(given_rows, texts)
    again = [replace(row, name=one.name) for row, one in zip(given_rows, once, strict=True)]
    assert [one.name for one in expand_names(again, texts)] == [one.name for one in once]
