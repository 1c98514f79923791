"""By what rule a hidden row counts as found again."""

from __future__ import annotations

from app.evaluation.discovery import Said, judged
from extraction.discovery.clusters import Cluster, Mention
from extraction.discovery.phrases import Phrase


def cluster(*places: tuple[str, int]) -> Cluster:
    """Mentions at characters [start, start + 10) of dictations."""
    return Cluster([Mention(name, name, "", Phrase(start, start + 10, (0, 99), "words"), "") for name, start in places])


SAID: Said = {
    "a": [("hidden", (0, 5)), ("stays", (20, 30)), ("other", (60, 70))],
    "b": [("hidden", (0, 5)), ("stays", (20, 30))],
    "c": [],
}


def test_half_of_the_mentions_bring_a_row_back() -> None:
    draw = judged([cluster(("a", 0), ("c", 0))], SAID, frozenset({"hidden"}), charted=True)
    assert (draw.back, draw.clusters, draw.junk) == (("hidden",), 1, 0)


def test_less_is_junk_and_what_rows_have_that_stay_is_told_apart() -> None:
    clusters = [cluster(("a", 0), ("c", 0), ("c", 40)), cluster(("a", 20), ("b", 20)), cluster(("c", 0), ("c", 40))]
    draw = judged(clusters, SAID, frozenset({"hidden"}), charted=False)
    assert (draw.back, draw.clusters, draw.junk, draw.of_others) == ((), 3, 3, 1)


def test_several_hidden_rows_together_are_no_junk_and_none_of_them_is_back() -> None:
    clusters = [cluster(("a", 0), ("a", 60), ("c", 0), ("c", 40))]
    draw = judged(clusters, SAID, frozenset({"hidden", "other"}), charted=True)
    assert (draw.back, draw.junk) == ((), 0)
