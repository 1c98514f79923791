"""Which rows a sentence may be about that a person wants to chart."""

from __future__ import annotations

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Neighbour
from extraction.retrieval.candidates import Candidate, Hit
from extraction.retrieval.likely_rows import LikelyRows, likely_rows, of_clauses, rows_by_words


def row(row_id: str, name: str, *options: str, unit_of: str | None = None) -> Row:
    kind = ValueType.SINGLE_SELECT if options else ValueType.NUMERIC
    return Row(row_id, name, kind, ("Assessment",), tuple(map(Option, options)), unit_of=unit_of)


SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        row("murk", "Zorb drain output", "Murky", "Clear"),
        row("site", "Zorb drain site", "Clear", "Sore"),
        row("volume", "Blick volume"),
        row("volume unit", "Blick volume unit", unit_of="volume"),
        row("weight", "Weight of the blick"),
    ),
    "0" * 64,
    "t",
)


def candidate(row_id: str, prior: float, *fits: tuple[int, float]) -> Candidate:
    hits = (Hit(segment, fit, 0.0, 0.0, 0, 0, 0.0, 0.0, Neighbour("row", row_id, segment)) for segment, fit in fits)
    return Candidate(row_id, tuple(hits), prior=prior)


def test_prior_and_fit_rank_the_rows_of_each_segment() -> None:
    weighed = [
        candidate("murk", 0.1, (0, 0.9), (3, 0.2)),
        candidate("site", 0.8, (0, 0.8), (3, 0.1)),
        candidate("volume", 0.05, (0, 0.1)),
        candidate("weight", 0.9, (3, 0.7)),
    ]
    found = likely_rows(weighed)
    assert set(found) == {0, 3}
    assert set(found[0][:2]) == {"murk", "site"}
    assert found[0][2:] == ("volume",)
    assert found[3] == ("weight", "site", "murk")


def test_words_of_names_and_options_rank_rows_and_leave_out_units() -> None:
    assert rows_by_words(SCHEMA, "The zorb drain is murky.")[0] == "murk"
    assert rows_by_words(SCHEMA, "It is sore around it.") == ["site"]
    assert set(rows_by_words(SCHEMA, "blick")) == {"volume", "weight"}
    assert rows_by_words(SCHEMA, "Nothing of it.") == []


def test_each_clause_has_the_rows_of_its_own_words_first() -> None:
    said = "Hm. The zorb drain site is sore, blick volume 40."
    sentence = LikelyRows(4, len(said), ("weight", "volume"))
    drain, blick = of_clauses(said, SCHEMA, [sentence])
    assert said[drain.start : drain.end] == "The zorb drain site is sore"
    assert drain.row_ids[0] == "site"
    assert {"weight", "volume"} <= set(drain.row_ids), "what its sentence may be about follows"
    assert blick.row_ids[0] == "volume"
    assert said[blick.start : blick.end].strip() == "blick volume 40."
