"""Questions about the ward on the command line, and how their answers are measured."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.cli.common import read_schema
from app.inference.client import Inference
from app.pipeline import PipelineResult
from app.record.run import NO_RUN
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.flowsheet.schema import Schema
from extraction.questions.query import (
    WARD,
    AllOf,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Query,
    Reason,
    Refusal,
    Select,
    Subject,
    Understood,
    Value,
)
from extraction.questions.ward import WardFacts
from models.base.progress import NOT_MONITORED
from resources import DEMONSTRATION_SCHEMA
from tests.kit.fake_app import transcript_of, values_of, write_schema
from tests.kit.store import TRANSCRIPT, filled

RATE = Measure("Heart rate", ("vs.heart_rate",))
NAUSEA = Measure("Nausea severity", ("gi.nausea",))
SEVERE = Condition(Value(NAUSEA), Comparison.EQUAL, options=("severe",))
FAST = Condition(Value(RATE), Comparison.ABOVE, numbers=(100.0,))
TREES: dict[str, Query] = {
    "who is fast": Select(where=FAST),
    "how many are fast": CountPatients(Select(where=FAST)),
    "who is fast and severely sick": Select(where=AllOf((FAST, SEVERE))),
    "nausea by severity": Group(Select(WARD, (Value(NAUSEA),))),
    "who is sick without a rate": Select(where=AllOf((SEVERE, Condition(Value(RATE), Comparison.NOT_CHARTED)))),
    "rate of bed 3": Select(Subject((3,)), (Value(RATE),)),
}


@pytest.fixture(autouse=True)
def reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads the questions of these tests, so that they measure the answers alone."""

    def read(question: str, schema: Schema, ward: WardFacts) -> Understood:
        assert ward.first_note is None or ward.first_note <= ward.now + timedelta(minutes=1)
        tree = TREES.get(question)
        return Understood(question, tree, None if tree else Refusal(Reason.ADVICE))

    monkeypatch.setattr("app.services.asking.answering.read_question", read)


@pytest.fixture
def charted(tmp_path: Path) -> None:
    schema = write_schema(tmp_path)
    save_settings(Settings(schema=str(schema)), paths.config_file())
    with Store(paths.database_file()) as store:
        source = tmp_path / "a.wav"
        source.write_bytes(b"RIFF of a recording")
        encounter = store.encounters.open(store.patients.add("Ann Lee", "4", "123").id)
        number = store.dictations.add(encounter.id, source, "audio", store.schemas.save(*read_schema(schema))).id
        store.transcripts.save(number, TRANSCRIPT)
        store.runs.save(number, [filled("hr", 110.0, "/min")], NO_RUN)
        store.reviews.decide(store.values.of(number)[0].id, "confirm", "Kim")


@pytest.mark.usefixtures("charted")
def test_an_answer_has_its_tree_and_its_sources(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(TREES, "rate of Ann Lee", Select(Subject((1,)), (Value(Measure("Heart rate", ("hr",))),)))
    assert main(["ask", "rate of Ann Lee", "--json", "--out", str(tmp_path / "answer.csv")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["tree"]["node"] == "Select"
    assert (found["lines"][0]["cells"][0]["text"], found["citations"][0]["second"]) == ("110 /min", 1.2)
    assert "Ann Lee" in (tmp_path / "answer.csv").read_text("utf-8-sig")
    assert main(["ask", "rate of Ann Lee"]) == 0
    assert "110 /min" in capsys.readouterr().out


@pytest.mark.usefixtures("charted")
def test_the_questions_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    questions = tmp_path / "questions.txt"
    questions.write_text("should I worry?\n\nwhat now?\n", encoding="utf-8")
    assert main(["ask", "--all", str(questions), "--json"]) == 0
    assert [one["kind"] for one in json.loads(capsys.readouterr().out)] == ["refused", "refused"]
    assert main(["ask"]) != 0


def test_answers_are_compared_with_the_right_ones(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ward, questions, out = tmp_path / "ward.jsonl", tmp_path / "questions.jsonl", tmp_path / "out"
    said = ((1, 110.0, "severe"), (2, 120.0, "none"), (3, None, "severe"))
    ward.write_text("".join(f"{json.dumps(_patient(*one))}\n" for one in said), encoding="utf-8")
    gold = {
        "who is fast": _table([1, 110], [2, 120]),
        "how many are fast": {"type": "number", "value": 2},
        "who is fast and severely sick": _table([1, "110, severe"]),
        "nausea by severity": _table(["severe", 2], ["none", 1], columns=["value", "patients"]),
        "who is sick without a rate": _table([3, None]),
        "rate of bed 3": _table([3, None]),
        "should I worry?": {"type": "refuse", "reason": "advice"},
        "what now?": _table([1, 1]),
    }
    questions.write_text(
        "".join(
            json.dumps(
                {
                    "id": f"{number}",
                    "kind": answer["type"],
                    "question": text,
                    "asked_at": "2026-11-23T07:00",
                    "gold": answer,
                }
            )
            + "\n"
            for number, (text, answer) in enumerate(gold.items())
        ),
        encoding="utf-8",
    )
    arguments = ["--schema", DEMONSTRATION_SCHEMA, "--ward", ward, "--questions", questions, "--out", out]
    assert main(["eval", "ask", *map(str, arguments), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((out / "metrics.json").read_text("utf-8"))
    assert (found["execution_accuracy"], found["number.execution_accuracy"]) == (0.875, 1.0)
    assert (found["abstention_precision"], found["abstention_recall"]) == (0.5, 1.0)
    assert (found["row_f1"], found["citation_exact"], found["interval_coverage"]) == (0.8333, 1.0, 1.0)
    answers = [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]
    assert answers[1]["value"] == 2
    assert answers[4]["columns"] == ["bed", "Heart rate"]


def _patient(bed: int, rate: float | None, nausea: str) -> dict[str, Any]:
    values = [{"id": "gi.nausea", "name": "Nausea severity", "value_type": "SINGLE_SELECT", "value": nausea}]
    if rate:
        values.append({"id": "vs.heart_rate", "name": "Heart rate", "value_type": "NUMERIC", "value": rate})  # type: ignore[dict-item]
    text = f"{f'Heart rate {rate:g}. ' if rate else ''}Nausea is {nausea}."
    return {
        "patient": f"Patient {bed}", "bed": bed, "mrn": f"5{bed}", "assessed_at": "2026-11-22T20:00", "text": text,
        "observations": values,
    }  # fmt: skip


def _table(*rows: list[Any], columns: list[str] | None = None) -> dict[str, Any]:
    return {"type": "table", "columns": columns or ["bed", "value"], "rows": list(rows), "ordered": False}


def test_what_is_read_is_charted_as_if_it_were_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.evaluation.asking.ward import fill_store, read_ward

    schema, data = read_schema(write_schema(tmp_path))
    read = PipelineResult(transcript_of(), values_of(), (), (), "", {}, {}, {}, {})
    monkeypatch.setattr("app.evaluation.asking.ward.pipeline.run", lambda *_, **__: read)
    ward = tmp_path / "ward.jsonl"
    patient = _patient(1, None, "none") | {"text": read.transcript.text, "observations": []}
    ward.write_text(json.dumps(patient), encoding="utf-8")
    with Store(tmp_path / "wardlight.db") as store:
        lines = read_ward(ward, schema, tmp_path)
        assert fill_store(store, lines, schema, data, tmp_path, Inference, NOT_MONITORED) == 0  # type: ignore[arg-type]
        assert len(store.values.charted(1)) == len(read.values)
