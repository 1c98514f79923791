"""The record of a run as it is stored, by this release and by those before it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.chart.run_record import NO_RUN, RunRecord
from app.store import Store
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour
from extraction.preparation.other_patients import Naming, PatientPart
from extraction.preparation.patient_names import Named
from extraction.preparation.prepared_transcript import SetAside
from extraction.retrieval.likely_rows import LikelyRows
from tests.kit.store import TRANSCRIPT, filled, recorded

# what the first release wrote, letter by letter
FIRST = """{"seconds": {"load": 2.5, "transcribe": 4.125, "fill": 9.0}, "tokens": {"prompt": 812, "completion": 40},
"models": {"speech": "whisper-base", "filler": "qwen"}, "devices": {"speech": "cpu", "filler": "cpu"},
"candidates": 12, "held_back": [{"row_id": "edema", "value": ["left leg"], "unit": null,
"evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15},
"log_probability": -2.5, "not_mentioned": 0.4, "confidence": 0.07, "relevance": 0.5,
"neighbour": {"kind": "row", "text": "Edema sites", "segment": 0}, "strategy": "rowwise",
"problems": ["listen again"], "alternatives": [["right leg", 0.25]]}]}"""
HELD_BACK = FilledValue(
    row_id="edema",
    value=("left leg",),
    unit=None,
    evidence=Evidence(11, 14, "110", 0, 15),
    log_probability=-2.5,
    not_mentioned=0.4,
    confidence=0.07,
    relevance=0.5,
    neighbour=Neighbour("row", "Edema sites", 0),
    strategy="rowwise",
    findings=(Finding("noted", ("listen again",)),),
    alternatives=(("right leg", 0.25),),
)
READ = RunRecord(
    seconds={"load": 2.5, "transcribe": 4.125, "fill": 9.0},
    tokens={"prompt": 812, "completion": 40},
    models={"speech": "whisper-base", "filler": "qwen"},
    devices={"speech": "cpu", "filler": "cpu"},
    candidates=12,
    held_back=(HELD_BACK,),
)


def test_a_run_of_the_first_release_is_read_and_reviewed(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        store.transcripts.save(dictation.id, TRANSCRIPT)
        store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], NO_RUN)
        with store._database.write() as db:
            db["dictations"].update(dictation.id, {"run": FIRST})
        (kept,) = store.dictations.all()
        assert kept.run == READ
        (value,) = store.values.of(dictation.id)
        store.reviews.decide(value.id, "confirm", "Kim")
        assert store.reviews.take(dictation.id, kept.run.held_back[0], "Kim").filled == HELD_BACK


def test_runs_of_the_releases_between_are_read() -> None:
    aside = {"start": 3, "end": 9, "text": "no, 98", "why": "taken back"}
    weighed = json.loads(FIRST) | {"weighed_by": "d" * 64}
    assert RunRecord.from_json(weighed) == replace(READ, weighed_by="d" * 64)
    corrected = replace(READ, weighed_by="d" * 64, set_aside=(SetAside(3, 9, "no, 98", "taken back"),))
    assert RunRecord.from_json(weighed | {"set_aside": [aside]}) == corrected


def test_obsolete_fields_are_ignored() -> None:
    assert RunRecord.from_json(json.loads(FIRST) | {"rows": [1, 2], "naming": None}) == READ


def test_a_dictation_that_was_not_filled_has_no_run(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        assert recorded(store, tmp_path).run == RunRecord.from_json({}) == NO_RUN


def test_a_run_is_stored_under_the_names_that_every_release_reads() -> None:
    bed = Named("bed", "bed 12", 0, 6, "Bed 12")
    run = replace(
        READ,
        held_back=(),
        weighed_by="d" * 64,
        features_signature="e" * 64,
        set_aside=(SetAside(3, 9, "no, 98", "taken back"),),
        naming=Naming((bed,), (bed,), mixed=True, others=(PatientPart(0, 9, "bed 12"),)),
        likely=(LikelyRows(0, 9, ("hr", "edema")),),
    )
    assert RunRecord.from_json(json.loads(json.dumps(run.to_json()))) == run
    named = {"kind": "bed", "called": "bed 12", "start": 0, "end": 6, "text": "Bed 12"}
    assert json.loads(json.dumps(run.to_json())) == json.loads(FIRST) | {
        "held_back": [],
        "weighed_by": "d" * 64,
        "features_signature": "e" * 64,
        "set_aside": [{"start": 3, "end": 9, "text": "no, 98", "why": "taken back"}],
        "naming": {
            "named": [named],
            "strangers": [named],
            "mixed": True,
            "other": False,
            "others": [{"start": 0, "end": 9, "called": "bed 12"}],
        },
        "likely": [{"start": 0, "end": 9, "row_ids": ["hr", "edema"]}],
    }


def test_a_damaged_run_hides_no_dictation_from_the_lists(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        damaged, sound = recorded(store, tmp_path), recorded(store, tmp_path)
        with store._database.write() as db:
            db["dictations"].update(damaged.id, {"run": '{"held_back": [{}]}'})
        assert [one.id for one in store.dictations.all()] == [sound.id, damaged.id]
        with pytest.raises(KeyError):
            _ = store.dictations.one(damaged.id).run
