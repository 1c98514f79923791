"""What was measured is bound once, before anything is asked, and is not asked again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.confidence.statement_features import number_features
from extraction.extractor import Prepared, prepare
from extraction.filling.rowwise import WINDOW_WORDS, asked_rows
from extraction.filling.task import Reading, windows
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import NO_PROPOSALS, Neighbour, Value
from extraction.language.measuring import measured_numbers
from extraction.language.sentences import Segment
from extraction.language.vocabulary.loader import use_ward_folder
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema
from extraction.retrieval.prior_features import is_measured

VITALS = ("Vital signs",)
ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, VITALS, unit="/min", minimum=20, maximum=250),
    Row("rr", "Respiratory rate", ValueType.NUMERIC, VITALS, unit="/min", minimum=4, maximum=60),
    Row("spo2", "Oxygen saturation", ValueType.NUMERIC, VITALS, unit="%", minimum=40, maximum=100),
    Row("walk", "Oxygen saturation while walking", ValueType.NUMERIC, VITALS, unit="%", minimum=40, maximum=100),
    Row("weight", "Weight", ValueType.QUANTITY, VITALS, unit="kg", dimension="mass", minimum=1, maximum=400),
    Row("lamp", "Bilirubin lamp distance", ValueType.NUMERIC, VITALS, unit="cm", minimum=10, maximum=80),
    Row("rhythm", "Rhythm", ValueType.SINGLE_SELECT, VITALS, (Option("Sinus"), Option("Paced"))),
)
SCHEMA = Schema("t", "T", "1", ROWS, "0" * 64, "t")
NOON = EncounterContext(dt.datetime(2026, 3, 3, 12, tzinfo=dt.UTC))


def hit(segment: int, said: float = 0.0) -> Hit:
    return Hit(segment, 0.9, 0.9, 0.0, 0, 0, said, 0.0, Neighbour("row", "", segment))


def prepared(text: str, *rows: str, **priors: float) -> Prepared:
    """A text of which every sentence retrieves these rows, or all."""

    def every(segments: Sequence[Segment]) -> ReducedSchema:
        hits = tuple(hit(one.index) for one in segments)
        wanted = rows or tuple(row.id for row in ROWS)
        return ReducedSchema(tuple(Candidate(row_id, hits, prior=priors.get(row_id, 0.5)) for row_id in wanted))

    return prepare(text, SCHEMA, reduce=every, context=NOON)


def asked(text: str, *rows: str, **priors: float) -> set[str]:
    task = prepared(text, *rows, **priors).task
    return {one.row.id for window in windows(task, WINDOW_WORDS) for one in asked_rows(task, window)}


def bound(text: str) -> dict[str, Value]:
    return {one.row.id: one.value.value for one in prepared(text).task.measured}


def test_a_row_that_was_measured_is_not_asked() -> None:
    text = "Heart rate 91, respirations 18, sinus rhythm."
    assert bound(text) == {"hr": 91, "rr": 18}
    assert asked(text, "hr", "rr", "rhythm") == {"rhythm"}


def test_it_is_there_at_once_with_the_rule_as_its_origin() -> None:
    found = prepared("Heart rate 91.").charted(NO_PROPOSALS, {"measurement": 0.93}).proposals.values
    assert [(one.row_id, one.value, one.rule, one.confidence, one.strategy) for one in found] == [
        ("hr", 91, "measurement", 0.93, "measurement")
    ]
    assert (found[0].evidence.text, found[0].errors, found[0].features) == ("91", (), "")


def test_a_row_of_the_set_without_a_number_is_asked() -> None:
    assert asked("Heart rate 91, breathing around 18 or so, I think.", "hr", "rr") == {"rr"}


def test_where_another_number_may_be_its_value_the_models_are_asked_too() -> None:
    text = "It said 92 for a while and heart rate was 128."
    assert bound(text) == {"hr": 128}
    assert asked(text, "hr") == {"hr"}


def test_a_number_that_cannot_be_its_value_asks_nothing() -> None:
    assert asked("Heart rate is 88 now after meds 1250.", "hr") == set()


def test_a_number_without_its_name_in_another_sentence_asks_nothing() -> None:
    assert asked("Heart rate 88. She drank 120 of tea.", "hr") == set()


def test_a_row_whose_only_number_was_measured_for_a_likelier_row_is_not_asked() -> None:
    assert asked("Heart rate 91.", "hr", "rr") == set()
    assert asked("Sats 91 percent.", "spo2", "walk", spo2=0.9, walk=0.2) == set()


def test_where_a_likelier_row_may_be_meant_by_the_number_both_are_asked() -> None:
    assert asked("Sats 91 percent.", "spo2", "walk", spo2=0.6, walk=0.9) == {"spo2", "walk"}


def test_another_time_is_another_value() -> None:
    text = "At 0800 the heart rate was 91. At 1000 the heart rate went up by quite a lot, to some 110."
    assert bound(text) == {"hr": 91}
    places = (hit(0, 1.0), hit(1, 1.0))
    reduced = ReducedSchema((Candidate("hr", places),))
    task = prepare(text, SCHEMA, reduce=lambda _: reduced, context=NOON).task
    again = [one for window in windows(task, WINDOW_WORDS) for one in asked_rows(task, window)]
    assert [one.segment.index for one in again] == [1]


def test_a_sentence_is_looked_through_once() -> None:
    text = "Heart rate 91, lamp 40, sats 96 on room air."
    use_ward_folder(None)  # forgets what was read before
    with patch.object(measured_numbers, "_pairs", wraps=measured_numbers._pairs) as pairs:
        task = prepared(text).task
        is_measured(SCHEMA, ROWS[0], [text])
        (sentence,) = task.segments
        candidate = Candidate("hr", (hit(0),))
        number_features(task, Reading(ROWS[0], candidate, 91.0, sentence, (11, 13), 1.0, 1.0))
        prepared(text).charted(NO_PROPOSALS)
    assert pairs.call_count == 1


MEASURED = {"hr": "Heart rate 91.", "rr": "Respirations 18.", "spo2": "Sats 96 percent.", "weight": "Weight 75 kilos."}


@pytest.mark.parametrize("said", [1, 3])
@given(order=st.permutations(list(MEASURED)))
def test_neither_order_nor_repetition_changes_what_was_measured(said: int, order: list[str]) -> None:
    text = " ".join(MEASURED[row] for row in order for _ in range(said))
    assert bound(text) == {"hr": 91, "rr": 18, "spo2": 96, "weight": 75}
    assert len(prepared(text).task.measured) == len(MEASURED)
    assert not asked(text, *MEASURED)
