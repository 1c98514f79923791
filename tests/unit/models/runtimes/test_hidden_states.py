"""States pooled over the tokens of a question, however they were split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.runtimes.hidden_states import Pool, StateTap, _between

EMBEDDING = 64


def states(tokens: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(tokens, EMBEDDING)).astype(np.float32)


@given(st.integers(1, 30), st.lists(st.integers(0, 30)), st.integers(0, 1000))
def test_the_pool_does_not_depend_on_how_tokens_are_split(tokens: int, cuts: list[int], seed: int) -> None:
    block, pool = states(tokens, seed), Pool()
    ends = [*sorted({cut for cut in cuts if 0 < cut < tokens}), tokens]
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        pool.add({8: block[start:end], 12: -block[start:end]})
    found = pool.pooled()
    expected = np.concatenate([block[-1], block.mean(axis=0), block.max(axis=0)])
    np.testing.assert_array_equal(found[8], expected, "to the last bit")
    np.testing.assert_array_equal(found[12][: 2 * EMBEDDING], -expected[: 2 * EMBEDDING])
    assert found[8].dtype == np.float32


def test_an_empty_pool_has_no_states() -> None:
    assert Pool().pooled() == {}


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.data())
def test_tokens_are_found_in_any_part(sizes: list[int], data: st.DataObject) -> None:
    whole = states(sum(sizes))
    parts = np.split(whole, np.cumsum(sizes)[:-1])
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, len(whole)))
    assert (np.concatenate(_between(parts, start, stop)) == whole[start:stop]).all()


def test_missing_tokens_are_an_error() -> None:
    tap = StateTap((8,), EMBEDDING)
    tap._parts[8].append(states(3))
    assert tap.rows(1, 3)[8].shape == (2, EMBEDDING)
    with pytest.raises(IndexError, match="from 2 to 4"):
        tap.rows(2, 4)
