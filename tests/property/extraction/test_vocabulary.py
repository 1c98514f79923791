"""Vocabularies with arbitrary additions: no shipped entry is lost, and every phrase is found."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from extraction.language.vocabulary.loader import shipped_vocabulary, use_ward_folder, vocabulary, vocabulary_names
from extraction.language.vocabulary.phrases import whole_words
from models.base.errors import InputError
from tests.kit.language import add_words

words = st.text("abcdefghij", min_size=1, max_size=6)
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)
tables = st.dictionaries(
    st.sampled_from(("forward", "weak", "ends", "words", "historical", "always", "comma", "new")),
    st.recursive(st.booleans() | st.integers() | phrases | st.lists(phrases | st.integers(), max_size=3),
                 lambda inner: st.dictionaries(st.sampled_from(("forward", "words", "new")), inner, max_size=2),
                 max_leaves=4),
    max_size=4,
)  # fmt: skip


def holds(joined: Any, shipped: Any) -> bool:
    """Whether the merged table contains all shipped entries in order."""
    if isinstance(shipped, Mapping):
        return all(key in joined and holds(joined[key], value) for key, value in shipped.items())
    return bool(joined[: len(shipped)] == shipped if isinstance(shipped, list) else joined == shipped)


@given(st.sampled_from(vocabulary_names()), tables)
def test_additions_never_remove_a_shipped_entry(name: str, added: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        add_words(Path(folder), name, tomli_w.dumps(added))
        use_ward_folder(Path(folder))
        try:
            assert holds(vocabulary(name), shipped_vocabulary(name))
        except InputError as error:
            assert folder in error.what  # noqa: PT017 - refused, or joined
        finally:
            use_ward_folder(None)


@given(st.lists(phrases, min_size=1, max_size=5), st.data())
def test_phrases_match_whole_words_longest_first(given_: list[str], data: st.DataObject) -> None:
    said = data.draw(st.sampled_from(given_))
    found = whole_words(given_).search(f"xx {said.upper()}, yy")
    assert found
    assert found.group().casefold() in given_
    assert whole_words(given_).search(f"x{said.replace(' ', 'x')}y") is None
