"""Numbers packed as text round-trip, including NaN."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.confidence.packed_numbers import kept, packed, unpacked

finite = st.floats(-3e38, 3e38) | st.just(float("nan"))


@given(st.lists(finite, max_size=60))
def test_numbers_round_trip_to_seven_digits_and_nan_stays_nan(numbers: list[float]) -> None:
    given_numbers = np.array(numbers, dtype=np.float64)
    back = unpacked(json.loads(json.dumps(packed(given_numbers))))
    np.testing.assert_array_equal(back, kept(given_numbers))
    np.testing.assert_allclose(back, given_numbers, rtol=1e-7, atol=1e-44)


@given(st.lists(finite, max_size=60))
def test_packing_unpacked_numbers_gives_the_same_text(numbers: list[float]) -> None:
    text = packed(np.array(numbers, dtype=np.float64))
    assert packed(unpacked(text)) == text


@given(st.lists(finite, max_size=9), st.sampled_from([np.inf, -np.inf, 1e300]))
def test_numbers_with_an_infinite_one_pack_to_an_empty_text(numbers: list[float], infinite: float) -> None:
    assert packed(np.array([*numbers, infinite])) == ""


@pytest.mark.parametrize(
    "text", ["AAAA", "not base64", "AAAA\n", "äöü", base64.b64encode(np.array([np.inf], "<f4").tobytes()).decode()]
)
def test_a_text_not_written_by_packed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        unpacked(text)
