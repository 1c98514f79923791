"""How complete a schema is for the next dictation."""

from __future__ import annotations

import random

import pytest

from extraction.discovery.completeness import completeness


def test_the_missing_mass_is_the_share_of_things_mentioned_once() -> None:
    found = completeness([{"a", "b"}, {"a", "c"}, {"a"}])
    assert (found.dictations, found.mentions, found.things, found.once) == (3, 5, 3, 2)
    assert found.missing == pytest.approx(2 / 5)
    assert found.changed == pytest.approx((1.0, 1 / 3, 0.0))


def test_without_mentions_everything_is_missing() -> None:
    assert completeness([]).missing == 1.0
    assert completeness([set()]).missing == 1.0


def test_the_missing_mass_says_how_much_of_the_next_dictations_is_new() -> None:
    draw = random.Random(7)
    things, weights = range(400), [1 / (rank + 3) for rank in range(400)]
    notes = [set(draw.choices(things, weights, k=20)) for _ in range(600)]
    read, later = notes[:60], notes[60:]
    known = set().union(*read)
    new = sum(len(one - known) for one in later) / sum(map(len, later))
    assert completeness(read).missing == pytest.approx(new, abs=0.02)


def test_the_rule_of_entropy_wants_quiet_and_enough_dictations() -> None:
    same = [{"a", "b"}] * 80
    assert completeness(same).read_enough
    assert not completeness(same[:10]).read_enough, "too few for a thing said in one of twenty"
    assert not completeness([*same, {"c", "d"}]).read_enough
