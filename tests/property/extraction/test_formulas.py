"""Formula expressions: evaluated like arithmetic, refused otherwise, displayed equivalently."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.formulas import names_in, result, with_numbers

NUMBERS = {"a": 4.0, "b": 2.5, "c": -3.0}
Known = tuple[str, float]  # an expression with its value


def combined(inner: st.SearchStrategy[Known]) -> st.SearchStrategy[Known]:
    def two(pair: tuple[Known, str, Known]) -> Known:
        (left, one), sign, (right, other) = pair
        return f"({left} {sign} {right})", {"+": one + other, "-": one - other, "*": one * other}[sign]

    def several(parts: list[Known]) -> Known:
        return f"sum({', '.join(text for text, _ in parts)})", math.fsum(worth for _, worth in parts)

    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(two),
        st.lists(inner, min_size=1, max_size=4).map(several),
        inner.map(lambda one: (f"-{one[0]}", -one[1])),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda parts: (f"max({', '.join(text for text, _ in parts)})", max(worth for _, worth in parts))
        ),
    )


LEAVES = st.sampled_from([*NUMBERS.items(), ("7", 7.0), ("0.5", 0.5)])
EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=8).filter(lambda one: len(one[0]) < 400)


@given(EXPRESSIONS)
def test_expressions_evaluate_like_arithmetic(known: Known) -> None:
    expression, worth = known
    assert names_in(expression) <= NUMBERS.keys()
    assert result(expression, NUMBERS) == pytest.approx(worth, abs=1e-5)


@given(EXPRESSIONS)
def test_the_shown_arithmetic_has_the_same_result(known: Known) -> None:
    expression, worth = known
    words = with_numbers(expression, NUMBERS).replace("×", "*")
    for name, number in NUMBERS.items():
        words = words.replace(f"{name} {number:g}", f"({number})")
    words = words.replace("mean", "").replace("--", "- -")
    assert result(words, {}) == pytest.approx(worth, abs=1e-5)


@given(st.text(alphabet="ab12+-*/(). ,_[]{}'\"=:;\n", max_size=40))
def test_any_text_is_either_arithmetic_or_refused_in_words(text: str) -> None:
    try:
        names = names_in(text)
    except ValueError:
        return  # any other exception fails the test
    worth = result(text, dict.fromkeys(names, 2.0))
    assert worth is None or math.isfinite(worth)
