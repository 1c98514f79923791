"""The rules of a phase do not depend on each other: neither their order in the list nor one after the other matters."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.annotation.case_files import CASE_SAID_AT, read_cases
from extraction.extractor import Prepared, prepare
from extraction.filling.closed_answers import said_numbers
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.naming.option_mentions import said_options
from extraction.flowsheet.schema import NUMBER_TYPES, ValueType
from extraction.flowsheet.values import Proposals
from extraction.language.vocabulary.words import best_share, stems
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules.engine import RULES, Rule
from extraction.schema_files.native_format import load_schema
from models.base.progress import ignore_progress
from resources import DEMONSTRATION_SCHEMA, FOLDER
from tests.kit.conditions import candidate
from tests.property.extraction.test_rules import given_to_rules
from tests.recordings import readings

AUTHORS = ("h01", "h03", "h05", "h07")
ORDERS = st.permutations(RULES)


def charted_by(rules: Sequence[Rule], prepared: Prepared, read: Proposals) -> Proposals:
    with patch("extraction.rules.engine.RULES", tuple(rules)):
        return prepared.charted(read).proposals


def one_after_the_other(seed: int) -> tuple[Rule, ...]:
    """Each rule in a phase of its own, those of one phase in any order."""
    order = random.Random(seed)
    shuffled = sorted(RULES, key=lambda rule: (rule.place[0], order.random()))
    return tuple(replace(rule, place=(place, 1)) for place, rule in enumerate(shuffled))  # type: ignore[arg-type]


@cache
def dictations() -> dict[str, tuple[Prepared, Proposals]]:
    """The sample and some of the corpus, with everything that their words may mean as what was read of them."""
    schema = load_schema(DEMONSTRATION_SCHEMA)
    texts = {"sample": (FOLDER / "dictation" / "dictation.txt").read_text(encoding="utf-8")}
    for author in AUTHORS:
        cases = read_cases(FOLDER / "corpus" / "cases" / f"medsurg_icu.{author}.jsonl", schema, annotated=False)
        texts[author] = max((case.text for case in cases.cases), key=len)
    found = {}
    for name, text in texts.items():
        context = EncounterContext(CASE_SAID_AT)
        prepared = prepare(text, schema, reduce=lambda _: ReducedSchema(()), context=context)
        found[name] = prepared, _read_by_words(prepared.task)
    return found


def _read_by_words(task: Task) -> Proposals:
    """Every option and number that a sentence says with a word of its row, more or less surely."""
    sure = random.Random(len(task.text))
    found = on_instance_rows(task.plan, list(_possible(task)))
    return propose(task, [WeighedReading(one, round(sure.random(), 3), (0.1, 0.2)) for one in found], 0.6, "rowwise")


def _possible(task: Task) -> Iterator[Reading]:
    for segment in task.segments:
        said = stems(segment.text)
        for row in task.schema.rows:
            if row.unit_of or best_share(row.names, said) < 0.4:
                continue
            of = candidate(row.id, segment.index)
            if row.value_type is ValueType.YES_NO:
                for answer in (True, False):
                    yield Reading(row, of, answer, segment, None, 0.9, 0.9)
            for name, (start, end) in said_options(row, segment.text):
                value = (name,) if row.value_type is ValueType.MULTI_SELECT else name
                yield Reading(row, of, value, segment, (segment.start + start, segment.start + end), 0.9, 0.9)
            if row.value_type in NUMBER_TYPES:
                for number in said_numbers(row, (segment,)):
                    yield Reading(row, of, number.value, segment, number.span, 0.9, 0.9)


def test_phases_and_ranks_are_of_one_rule_each() -> None:
    assert len({rule.place for rule in RULES}) == len({rule.id for rule in RULES}) == len(RULES)


@given(given_to_rules(), ORDERS)
def test_the_order_of_the_list_is_of_no_account_for_any_proposals(
    made: tuple[Prepared, Proposals], order: list[Rule]
) -> None:
    prepared, read = made
    assert charted_by(order, prepared, read) == charted_by(RULES, prepared, read)


@pytest.mark.parametrize("name", ["sample", *AUTHORS])
def test_the_order_of_the_list_is_of_no_account_for_dictations(name: str) -> None:
    prepared, read = dictations()[name]
    known = charted_by(RULES, prepared, read)
    assert len(known.values) > 10
    assert {value.rule for value in known.values} > {""}
    for seed in range(10):
        order = random.Random(seed).sample(RULES, len(RULES))
        assert charted_by(order, prepared, read) == known


def test_rules_of_a_phase_give_the_same_one_after_the_other() -> None:
    before = readings.RESULTS.read_text(encoding="utf-8").splitlines()
    for seed in (1, 2):
        stages = readings.Recorded(readings.read_records())
        with patch("extraction.rules.engine.RULES", one_after_the_other(seed)):
            readings.run(stages, load_schema(DEMONSTRATION_SCHEMA), ignore_progress)
        assert stages.results == before
