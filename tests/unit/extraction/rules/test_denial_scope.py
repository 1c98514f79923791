"""What is denied fills no row that describes it, and what is denied of a part is lit in a row about the whole."""

from __future__ import annotations

import pytest

from extraction.flowsheet.values import FilledValue, Value
from extraction.schema_files.native_format import load_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.steps import charted

SCHEMA = load_schema(DEMONSTRATION_SCHEMA)


def proposed(text: str, row_id: str, value: Value, words: str) -> FilledValue | None:
    """What is proposed of a value of which the models are sure."""
    values = charted(text, SCHEMA, [(row_id, value, words)]).values
    return next((one for one in values if (one.row_id, one.value) == (row_id, value)), None)


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("No pressure sore.", "pi.location", "sacrum", "pressure sore"),
        ("No pressure injury on the sacrum.", "pi.location", "sacrum", "sacrum"),
        ("Skin looks good, no pressure injury of any stage over the coccyx.", "pi.stage", "stage 1", "stage"),
        ("Denies any wound on the heel.", "wound1.location", "heel", "heel"),
        ("No skin tear on the right forearm.", "wound1.type", "skin tear", "skin tear"),
        ("There is no edema in the left ankle.", "card.edema_sites", ("Left ankle",), "left ankle"),
        ("Without any pressure injury to the left heel.", "pi.location", "left heel", "left heel"),
        ("She denies pain in the chest.", "pain.location", ("Chest",), "chest"),
        ("Denies sharp pain.", "pain.quality", ("Sharp",), "sharp"),
        ("No seizure, tonic clonic or otherwise.", "neuro.seizure_type", "Generalized tonic-clonic", "tonic clonic"),
        ("Free of wounds on the lower legs.", "wound1.location", "lower legs", "lower legs"),
        ("Pitting edema is absent.", "card.edema_type", "Pitting", "Pitting"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_described(text: str, row_id: str, value: Value, words: str) -> None:
    assert proposed(text, row_id, value, words) is None


def test_a_place_beside_a_denial_is_lit() -> None:
    value = proposed("Sacrum and heels checked, no pressure injury.", "pi.location", "sacrum", "Sacrum")
    assert value is not None
    assert value.flags == (
        "“Sacrum and heels checked, no pressure injury.” says that there is none: check what this is about",
    )


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("No chest pain.", "pain.present", False, "pain"),
        ("No abdominal pain with movement.", "pain.present", False, "pain"),
        ("No left-sided weakness.", "vs.ortho_symptoms", ("None",), "weakness"),
        ("No edema in the left ankle.", "card.edema_general", "None", "edema"),
        ("No drainage from the JP drain.", "wound1.drainage_amount", "none", "drainage"),
        ("Denies calf pain.", "pain.present", False, "pain"),
        ("No breakthrough pain overnight.", "pain.present", False, "pain"),
        ("She has no pain in her hip.", "pain.present", False, "pain"),
        ("He denies pain with urination.", "pain.present", False, "pain"),
        ("No swelling of the right hand.", "card.edema_general", "None", "swelling"),
        ("No pain at the IV site.", "pain.present", False, "pain"),
        ("Without productive cough.", "resp.cough", "None", "cough"),
        ("Negative for shortness of breath lying flat.", "resp.dyspnea", "None", "shortness of breath"),
        ("No bleeding or drainage from the line site.", "wound1.drainage_amount", "none", "drainage"),
        ("No headache pain today.", "pain.present", False, "pain"),
        ("No incisional pain.", "pain.present", False, "pain"),
        ("No dressing change needed.", "wound1.dressing_type", "none", "No dressing"),
    ],
)  # fmt: skip
def test_none_of_a_whole_is_lit_where_a_part_was_denied(text: str, row_id: str, value: Value, words: str) -> None:
    read = proposed(text, row_id, value, words)
    assert read is None or read.flags


def test_the_part_that_was_denied_is_named() -> None:
    value = proposed("No abdominal pain with movement.", "pain.present", False, "pain")
    assert value is not None
    assert value.flags == ("only “abdominal pain with movement” was denied: check that it holds for all",)


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Pressure injury on the sacrum, no drainage.", "pi.location", "sacrum", "sacrum"),
        ("Sacral wound is stage 2, no odor.", "pi.stage", "stage 2", "stage 2"),
        ("No pain at rest, but sharp pain in the chest with a cough.", "pain.location", ("Chest",), "chest"),
        ("Denies nausea. Pain is in the lower back, sharp.", "pain.quality", ("Sharp",), "sharp"),
        ("No new skin tears, the old pressure injury on the left heel.", "pi.location", "left heel", "left heel"),
        ("Wound 1 on the right shin, without odor.", "wound1.location", "right shin", "right shin"),
        ("No urine in the Foley since midnight.", "gu.cath_type", "indwelling urethral", "Foley"),
        ("No pressure injury.", "pi.present", False, "pressure injury"),
        ("No sputum.", "resp.sputum_amount", "None", "sputum"),
        ("Wound clean, no drainage.", "wound1.drainage_amount", "none", "drainage"),
        ("No pain.", "pain.present", False, "pain"),
        ("She denies any pain.", "pain.present", False, "pain"),
        ("No pain at this time.", "pain.present", False, "pain"),
        ("Patient denies pain or discomfort right now.", "pain.present", False, "pain"),
        ("No complaints of pain overnight.", "pain.present", False, "pain"),
        ("Not in pain at the moment.", "pain.present", False, "pain"),
        ("No edema.", "card.edema_general", "None", "edema"),
        ("No lower extremity edema or any other edema.", "card.edema_general", "None", "edema"),
        ("No cough.", "resp.cough", "None", "cough"),
        ("No chest pain.", "card.chest_pain", False, "chest pain"),
        ("No edema in the left leg.", "pv.edema_lle", "None", "edema"),
        ("Denies nausea or vomiting.", "gi.nausea", "none", "nausea"),
        ("No shortness of breath.", "resp.dyspnea", "None", "shortness of breath"),
        ("He has not fallen this shift.", "fallprev.fall_event", False, "fallen"),
    ],
)  # fmt: skip
def test_what_is_stated_or_denied_as_a_whole_stays_unlit(text: str, row_id: str, value: Value, words: str) -> None:
    read = proposed(text, row_id, value, words)
    assert read is not None
    assert read.flags == ()
