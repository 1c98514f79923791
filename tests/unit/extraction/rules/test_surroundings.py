"""What the words around a number make of it: proposed with a doubt, or left alone."""

from __future__ import annotations

import datetime as dt

import pytest

from extraction.estimators.mention_reader import MentionStatus, ReadMention
from extraction.extractor import prepare
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import NO_PROPOSALS, Proposals
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.mention_readers import ScriptedReader, surely

VITALS = ("Vital signs",)
SCHEMA = Schema(
    "ward", "Ward", "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, VITALS, unit="/min", minimum=20, maximum=250),
        Row("spo2", "Oxygen saturation", ValueType.NUMERIC, VITALS, unit="%", minimum=40, maximum=100),
        Row("flow", "Oxygen flow", ValueType.NUMERIC, VITALS, unit="L/min", minimum=0, maximum=80),
    ),
    "0" * 64, "ward.json",
)  # fmt: skip
NOON = EncounterContext(dt.datetime(2026, 3, 3, 12, tzinfo=dt.UTC))


def proposals(text: str, **said: ReadMention) -> Proposals:
    reader = ScriptedReader({words.strip("_"): one for words, one in said.items()})
    prepared = prepare(text, SCHEMA, reduce=lambda _: ReducedSchema(()), context=NOON, reader=reader)
    return prepared.charted(NO_PROPOSALS).proposals


def test_a_current_number_has_no_doubt() -> None:
    (one,) = proposals("Heart rate 88.").values
    assert not one.flags


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (MentionStatus.SET, "as a setting"),
        (MentionStatus.OTHER, "as if of somebody else"),
        (MentionStatus.PAST, "as if of before"),
    ],
)
def test_a_number_that_may_not_be_current_is_proposed_with_a_doubt(status: MentionStatus, words: str) -> None:
    (one,) = proposals("Heart rate 88.", _88=surely(status)).values
    assert one.flags == (f"said {words}: check that it is a value of now",)


def test_a_small_doubt_is_none() -> None:
    (one,) = proposals("Heart rate 88.", _88=surely(MentionStatus.SET, 0.6)).values
    assert not one.flags


def test_a_row_that_records_just_that_keeps_its_number() -> None:
    (one,) = proposals("Oxygen flow 2 liters.", _2=surely(MentionStatus.SET)).values
    assert (one.row_id, one.flags) == ("flow", ())
