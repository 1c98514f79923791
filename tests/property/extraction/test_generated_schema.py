"""Generated flowsheets of any size and seed: valid, free of duplicates, reproducible, with matching dictations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.flowsheet.schema import ValueType
from extraction.language.sentences import segment
from extraction.schema_files.native_format import parse_schema
from tests.benchmarks.generated_schema import MOST_ROWS, dictations, generated_schema
from tests.kit.schema_files import dump_schema

sizes = st.integers(1, 400)
seeds = st.integers(0, 2**32)


@given(sizes, seeds)
def test_a_generated_schema_is_valid_and_free_of_duplicates(rows: int, seed: int) -> None:
    schema = generated_schema(rows, seed)
    assert len(schema.rows) == rows
    assert len({row.id for row in schema.rows}) == rows
    assert len({row.name for row in schema.rows}) == rows
    assert parse_schema(dump_schema(schema), "written").rows == schema.rows
    assert generated_schema(rows, seed).sha256 == schema.sha256


@given(seeds)
@settings(max_examples=20)
def test_different_seeds_give_different_rows(seed: int) -> None:
    assert generated_schema(50, seed).rows != generated_schema(50, seed + 1).rows


def test_a_large_schema_has_many_row_types_and_no_duplicates() -> None:
    schema = generated_schema(10_000, 7)
    names = [row.name for row in schema.rows]
    names += [synonym for row in schema.rows for synonym in row.synonyms]
    assert len(set(names)) == len(names)
    assert len({row.id for row in schema.rows}) == 10_000
    assert {row.value_type for row in schema.rows} == set(ValueType) - {ValueType.BLOOD_PRESSURE}
    assert len({row.category[0] for row in schema.rows}) == 4


@pytest.mark.parametrize("rows", [-1, MOST_ROWS + 1])
def test_unsupported_sizes_are_refused(rows: int) -> None:
    with pytest.raises(ValueError, match="ample"):
        generated_schema(rows, 1)


@given(st.integers(1, 4), st.integers(1, 15), seeds)
def test_dictations_consist_of_distinct_sentences(count: int, sentences: int, seed: int) -> None:
    said = dictations(count, sentences, seed)
    assert said == dictations(count, sentences, seed)
    assert [len(segment(text)) for text in said] == [sentences] * count
    assert not any("{" in text or "}" in text for text in said)
    each = [part.text for text in said for part in segment(text)]
    assert len(set(each)) == len(each)
