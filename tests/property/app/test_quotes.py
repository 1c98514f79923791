"""Quotes are never cut inside a word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.chart.quotes import MORE, around, begins_with, ends_with

TEXTS = st.lists(st.text("abcdé.,-0", min_size=1, max_size=12), min_size=1, max_size=30).map(" ".join)


@given(TEXTS, st.data())
def test_quotes_begin_and_end_at_word_boundaries(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    within = (data.draw(st.integers(0, start)), data.draw(st.integers(end, len(text))))
    most = data.draw(st.integers(1, 40))

    before, after = around(text, start, end, within, most)

    left, right = before.removeprefix(MORE), after.removesuffix(MORE)
    assert text[:start].endswith(left)
    assert text[end:].startswith(right)
    first, last = start - len(left), end + len(right)
    assert first == 0 or text[first - 1].isspace() or text[first].isspace()
    assert last == len(text) or text[last].isspace() or text[last - 1].isspace()


@given(TEXTS, st.integers(1, 60))
def test_a_shortened_quote_keeps_whole_words(text: str, room: int) -> None:
    words = text.split()
    first = ends_with(text, lambda shown: len(shown) <= room)
    last = begins_with(text, lambda shown: len(shown) <= room)
    assert first in (text, MORE) or first.removesuffix(MORE).split() == words[: len(first.split())]
    assert last in (text, MORE) or last.removeprefix(MORE).split() == words[-len(last.split()) :]
    assert first == text or len(first) <= max(room, 1)
    assert last == text or len(last) <= max(room, 1)
