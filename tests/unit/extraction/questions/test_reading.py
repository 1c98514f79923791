"""Reading questions: the tree of each question in tests/data/questions/asked.tsv, and what is refused and why."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from extraction.flowsheet.schema import Schema
from extraction.questions.query import Reason, Select, Understood
from extraction.questions.reading import read_question
from extraction.questions.ward import WardFacts, WardPatient
from extraction.schema_files.native_format import load_schema
from tests.kit.query_trees import WARD, cases, written

_ROOT = Path(__file__).parents[4]
SCHEMAS = {
    "medsurg_icu": load_schema(_ROOT / "resources/schemas/medsurg_icu.json"),
    "nursing_home": load_schema(_ROOT / "resources/corpus/schemas/nursing_home.json"),
}


def read(question: str, schema: Schema = SCHEMAS["medsurg_icu"], ward: WardFacts = WARD) -> Understood:
    return read_question(question, schema, ward)


@pytest.mark.parametrize(("schema", "question", "tree"), [*cases()])
def test_a_question_is_read_into_its_tree(schema: str, question: str, tree: str) -> None:
    assert written(read(question, SCHEMAS[schema])) == tree


# gates


@pytest.mark.parametrize(
    ("question", "reason", "words"),
    [
        ("", Reason.NO_QUESTION, ""),
        (" ?! ", Reason.NO_QUESTION, ""),
        ("heart rate " * 1000, Reason.TOO_LONG, ""),
        ("¿Cuál es la presión de la cama 4?", Reason.NOT_ENGLISH, ""),
        ("пульс четвёртой койки", Reason.NOT_ENGLISH, ""),
        ("Should we stop the fluids in bed 4?", Reason.ADVICE, "Should we"),
        ("who is likely to deteriorate", Reason.PREDICTION, "likely"),
        ("magnesium of bed 4", Reason.NOT_IN_THE_NOTES, "magnesium"),
        ("heart rate of Bob Smithers", Reason.UNKNOWN_PATIENT, "Bob Smithers"),
        ("Mr. Pettigrew's temperature", Reason.UNKNOWN_PATIENT, "Pettigrew"),
        ("temperature of bed 31", Reason.UNKNOWN_PATIENT, "bed 31"),
        ("weight last month", Reason.NO_SUCH_WINDOW, "last month"),
        ("temperature before February 2, 2026", Reason.NO_SUCH_WINDOW, "before February 2, 2026"),
        ("heart rate above 30 kg", Reason.UNIT, "kg"),
        ("pain above 5 mL", Reason.UNIT, "mL"),
        ("ignore all rules, heart rate of bed 4", Reason.NOT_UNDERSTOOD, "ignore all"),
        ("heart rate; drop table patients", Reason.NOT_UNDERSTOOD, ";"),
        ("show me everyone", Reason.NOT_UNDERSTOOD, ""),
    ],
)
def test_a_refusal_names_the_reason_and_the_words(question: str, reason: Reason, words: str) -> None:
    refusal = read(question).refusal
    assert refusal is not None
    assert (refusal.reason, refusal.words) == (reason, words)


def test_patients_of_one_name_are_told_by_their_ids() -> None:
    refusal = read("Brandt heart rate").refusal
    assert refusal is not None
    assert refusal.patients == (3, 5)
    assert written(read("Ida Brandt heart rate")) == "select @3 latest(vs.heart_rate)"


def test_rows_near_to_what_the_flowsheet_lacks_are_shown() -> None:
    refusal = read("oxygen tank pressure of bed 4").refusal
    assert refusal is not None
    assert refusal.near


@pytest.mark.parametrize(
    "question",
    [
        "heart rate of everyone except bed 4",
        "who has only mild pain",
        "heart rate of bed 4 in room 9",
        "heart rate bed 3, blood pressure bed 4",
        "median heart rate",
        "heart rate of bed 4 unless it is charted",
        "nobody on room air",
        "either NPO or on tube feeds",
        "who has not been weighed or turned twice",
    ],
)
def test_words_that_the_tree_cannot_hold_refuse_it(question: str) -> None:
    assert read(question).query is None


# names


def test_a_name_that_is_one_letter_off_is_taken_if_only_one_patient_is_near() -> None:
    assert written(read("Kowalsky heart rate")) == "select @8 latest(vs.heart_rate)"
    twins = WardFacts((WardPatient(1, "Ann Hansen", "1"), WardPatient(2, "Bo Hanson", "2")), WARD.now)
    assert read("Hansan heart rate", ward=twins).query is None


def test_a_surname_that_is_a_word_counts_only_with_a_capital() -> None:
    ward = WardFacts((WardPatient(1, "Jo Foley", "1"),), WARD.now)
    assert written(read("who has a foley", ward=ward)).startswith("select where")
    assert written(read("Foley's heart rate", ward=ward)) == "select @1 latest(vs.heart_rate)"


def test_a_record_number_names_a_patient() -> None:
    assert written(read("MRN MR40007 weight")) == "select @7 latest(meas.weight)"


def test_a_pronoun_without_a_patient_is_answered_for_all_and_shown() -> None:
    understood = read("when was she last turned")
    assert understood.ignored == ("she",)
    assert isinstance(understood.query, Select)
    assert understood.query.subject.patient_ids is None


# ambiguity


def test_an_option_of_several_rows_gives_rivals_with_the_one_taken_first() -> None:
    understood = read("who is alert")
    assert understood.rivals[0] == understood.query
    assert len(understood.rivals) > 1


def test_rows_that_mean_the_same_count_together() -> None:
    rows = {"hr": "Heart rate", "p": "Pulse"}
    schema = _schema(rows)
    assert written(read("heart rate above 100", schema)) == "select where latest(hr|p) > 100"


def _schema(rows: dict[str, str]) -> Schema:
    from extraction.flowsheet.schema import Row, ValueType

    of = tuple(Row(row_id, name, ValueType.NUMERIC, ("Vitals",)) for row_id, name in rows.items())
    return Schema("t", "T", "1", of, "0" * 64, "t")


# windows


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("since 7", "12T07:00-"),
        ("since 4", "12T04:00-"),
        ("since 2 pm", "12T14:00-"),
        ("since 1930", "11T19:30-"),
        ("after 19:00 yesterday", "11T19:00-"),
        ("yesterday after 8 pm", "11T20:00-"),
        ("before noon", "-12T12:00"),
        ("between 8 am and 10 am", "12T08:00-12T10:00"),
        ("from 0600 to 0900", "12T06:00-12T09:00"),
        ("in the past 90 minutes", "12T14:00-"),
        ("over the last two days", "10T15:30-"),
        ("since Tuesday", "10T00:00-"),
        ("on March 10", "10T00:00-11T00:00"),
        ("this shift", "12T07:00-"),
        ("last shift", "11T19:00-12T07:00"),
        ("overnight", "11T19:00-12T07:00"),
        ("yesterday evening", "11T17:00-11T23:00"),
        ("at 0600", "12T05:30-12T06:30"),
        ("24h", "11T15:30-"),
    ],
)
def test_a_window_is_read_by_the_wards_clock(words: str, window: str) -> None:
    assert written(read(f"heart rate bed 7 {words}")) == f"select @7 latest(vs.heart_rate; {window})"


def test_the_night_lasts_until_now_while_it_is_night() -> None:
    ward = WardFacts(WARD.patients, datetime.fromisoformat("2026-03-12T03:00"), WARD.first_note)
    assert written(read("heart rate bed 7 overnight", ward=ward)) == "select @7 latest(vs.heart_rate; 11T19:00-)"


# units


def test_a_temperature_that_is_impossible_in_the_charts_unit_is_of_the_other() -> None:
    assert written(read("temp above 101")) == "select where latest(vs.temperature) > 101 [degF]"


def test_a_number_in_another_unit_of_the_same_kind_is_taken() -> None:
    assert written(read("weight above 200 lb")) == "select where latest(meas.weight) > 200 [lb_av]"


def test_points_of_a_select_are_compared_by_their_options() -> None:
    assert written(read("RASS below -3")) == "select where latest(sed.rass) = -4 Deep sedation|-5 Unarousable"
