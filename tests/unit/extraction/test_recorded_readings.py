"""The whole chain on recorded readings of our own utterances, so that no change goes unnoticed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from extraction.flowsheet.schema import Schema
from extraction.rules.engine import RULES
from extraction.schema_files.native_format import load_schema
from models.base.progress import ignore_progress
from resources import DEMONSTRATION_SCHEMA
from tests.recordings import readings

Replayed = tuple[readings.Recorded, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def demo_schema() -> Schema:
    return load_schema(DEMONSTRATION_SCHEMA)


@pytest.fixture(scope="module")
def replayed(demo_schema: Schema) -> Replayed:
    stages = readings.Recorded(readings.read_records())
    return stages, readings.run(stages, demo_schema, ignore_progress)


def test_the_result_of_every_utterance_matches_the_recording(
    replayed: tuple[readings.Recorded, dict[str, dict[str, Any]]],
) -> None:
    now, before = replayed[0].results, readings.RESULTS.read_text(encoding="utf-8").splitlines()
    differing = [f"was {was}\nis  {now_}" for was, now_ in zip(before, now, strict=True) if was != now_]
    assert not differing, "\n".join(
        [
            f"{len(differing)} utterances differ; if that is meant: python -m tests.recordings.readings --replay",
            *differing[:5],
        ]
    )


def test_our_own_utterances_stay_correct(replayed: Replayed) -> None:
    found = {name: of for name, of in replayed[1]["utterances"]["phenomena"].items() if name != "assertion"}
    assert {name: of["share"] for name, of in found.items() if of["share"] < 0.9} == {}
    assert sum(of["right"] for of in found.values()) >= 262


def test_leaving_out_a_rule_changes_the_results(demo_schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extraction.rules.engine.RULES", tuple(rule for rule in RULES if rule.id != "assertion"))
    stages = readings.Recorded(readings.read_records())
    readings.run(stages, demo_schema, ignore_progress)
    before = readings.RESULTS.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in before] == [json.loads(line)["text"] for line in stages.results]
    assert sum(was != now for was, now in zip(before, stages.results, strict=True)) > 5
