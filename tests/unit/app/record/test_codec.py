"""The written form of the record, of this release and of those before it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.record.codec import (
    VERSION,
    decode_evidence,
    decode_proposed,
    decode_run,
    encode_evidence,
    encode_proposed,
    encode_run,
)
from app.record.errors import StorageError
from app.record.run import NO_RUN, LikelyRows, Named, NamedPatients, PatientPart, RunRecord, SetAside
from app.record.values import Evidence, Neighbour, ProposedValue, Timing
from app.store import Store
from extraction.flowsheet.findings import Finding
from tests.kit.store import TRANSCRIPT, filled, recorded

# what the first release wrote, letter by letter
FIRST = """{"seconds": {"load": 2.5, "transcribe": 4.125, "fill": 9.0}, "tokens": {"prompt": 812, "completion": 40},
"models": {"speech": "whisper-base", "filler": "qwen"}, "devices": {"speech": "cpu", "filler": "cpu"},
"candidates": 12, "held_back": [{"row_id": "edema", "value": ["left leg"], "unit": null,
"evidence": {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15},
"log_probability": -2.5, "not_mentioned": 0.4, "confidence": 0.07, "relevance": 0.5,
"neighbour": {"kind": "row", "text": "Edema sites", "segment": 0}, "strategy": "rowwise",
"problems": ["listen again"], "alternatives": [["right leg", 0.25]]}]}"""
HELD_BACK = ProposedValue(
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
            db["runs"].update(dictation.id, {"record": FIRST})
        kept = store.runs.of(dictation.id)
        assert kept == READ
        (value,) = store.values.of(dictation.id)
        store.reviews.decide(value.id, "confirm", "Kim")
        assert store.reviews.take(dictation.id, kept.held_back[0], "Kim").filled == HELD_BACK


def test_runs_of_the_releases_between_are_read() -> None:
    aside = {"start": 3, "end": 9, "text": "no, 98", "why": "taken back"}
    weighed = json.loads(FIRST) | {"weighed_by": "d" * 64}
    assert decode_run(json.dumps(weighed)) == replace(READ, weighed_by="d" * 64)
    corrected = replace(READ, weighed_by="d" * 64, set_aside=(SetAside(3, 9, "no, 98", "taken back"),))
    assert decode_run(json.dumps(weighed | {"set_aside": [aside]})) == corrected


def test_obsolete_fields_are_ignored() -> None:
    assert decode_run(json.dumps(json.loads(FIRST) | {"rows": [1, 2], "naming": None})) == READ


def test_a_dictation_that_was_not_filled_has_no_run(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        assert store.runs.of(recorded(store, tmp_path).id) == decode_run("{}") == NO_RUN


def test_a_value_is_read_whichever_release_stored_it() -> None:
    flagged = replace(
        filled("hr", 110.0),
        findings=(Finding("not_named", ("tracheostomy",), "not-named"), Finding("fraction_as_percent")),
        taken_back=(Evidence(0, 5, "Heart", 0, 15),),
    )
    stored = json.loads(encode_proposed(flagged))
    assert decode_proposed(json.dumps(stored)) == flagged
    for name in ("version", "findings", "taken_back"):
        del stored[name]
    earlier = decode_proposed(json.dumps(stored | {"problems": ["out of range"], "flags": ["listen again"]}))
    assert (earlier.notes, earlier.flags, earlier.taken_back) == (("out of range",), ("listen again",), ())
    assert decode_proposed(json.dumps(stored | {"problems": []})).flags == (), "older still"
    assert decode_proposed(
        json.dumps(stored | {"findings": [{"code": "said_of_several", "about": [], "rule": "x"}]})
    ).flags


def test_the_form_of_a_run_is_fixed() -> None:
    """A class whose fields change needs a new version of the form, not another form of this one."""
    bed = Named("bed", "bed 12", 0, 6, "Bed 12")
    run = replace(
        READ,
        held_back=(),
        weighed_by="d" * 64,
        features_signature="e" * 64,
        set_aside=(SetAside(3, 9, "no, 98", "taken back"),),
        naming=NamedPatients((bed,), (bed,), mixed=True, others=(PatientPart(0, 9, "bed 12"),)),
        likely=(LikelyRows(0, 9, ("hr", "edema")),),
    )
    assert decode_run(encode_run(run)) == run
    named = {"kind": "bed", "called": "bed 12", "start": 0, "end": 6, "text": "Bed 12"}
    assert json.loads(encode_run(run)) == json.loads(FIRST) | {
        "version": 2,
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


def test_the_form_of_a_value_is_fixed() -> None:
    said = Evidence(11, 14, "110", 0, 15)
    value = replace(
        HELD_BACK,
        findings=(Finding("said_as_range", ("1 to 2",), "word"),),
        errors=(0.25,),
        timing=Timing("2026-03-04T06:30", None, 0, 4, "0630"),
        taken_back=(said,),
        rule="word",
        held_back_by="status",
        features="AAAA",
    )
    assert decode_proposed(encode_proposed(value)) == value
    evidence = {"start": 11, "end": 14, "text": "110", "sentence_start": 0, "sentence_end": 15}
    assert json.loads(encode_proposed(value)) == {
        "version": 2,
        "row_id": "edema",
        "value": ["left leg"],
        "unit": None,
        "evidence": evidence,
        "log_probability": -2.5,
        "not_mentioned": 0.4,
        "confidence": 0.07,
        "relevance": 0.5,
        "neighbour": {"kind": "row", "text": "Edema sites", "segment": 0},
        "strategy": "rowwise",
        "findings": [{"code": "said_as_range", "about": ["1 to 2"], "rule": "word"}],
        "alternatives": [["right leg", 0.25]],
        "errors": [0.25],
        "timing": {"at": "2026-03-04T06:30", "since": None, "start": 0, "end": 4, "text": "0630"},
        "taken_back": [evidence],
        "rule": "word",
        "held_back_by": "status",
        "features": "AAAA",
    }
    assert json.loads(encode_evidence(said)) == {"version": 2} | evidence
    assert decode_evidence(json.dumps(evidence)) == decode_evidence(encode_evidence(said)) == said


@pytest.mark.parametrize(
    ("encode", "decode", "record"),
    [
        (encode_proposed, decode_proposed, HELD_BACK),
        (encode_evidence, decode_evidence, HELD_BACK.evidence),
        (encode_run, decode_run, READ),
    ],
)
def test_what_a_newer_program_wrote_is_refused(
    encode: Callable[[Any], str], decode: Callable[[str], Any], record: object
) -> None:
    newer = json.dumps(json.loads(encode(record)) | {"version": VERSION + 1, "of_the_future": 1})
    with pytest.raises(StorageError, match=f"newer version of Wardlight .form {VERSION + 1}"):
        decode(newer)


def test_a_damaged_run_hides_no_dictation_from_the_lists(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        damaged, sound = recorded(store, tmp_path), recorded(store, tmp_path)
        with store._database.write() as db:
            db["runs"].insert({"dictation_id": damaged.id, "record": '{"held_back": [{}]}'})
        assert [one.id for one in store.dictations.all()] == [sound.id, damaged.id]
        with pytest.raises(KeyError):
            store.runs.of(damaged.id)
