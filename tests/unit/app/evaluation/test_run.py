"""An evaluation from cases to report, stopped and continued; the models are scripted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.evaluation.folder import circumstances_of, differing
from app.evaluation.run import compare, evaluate
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases, Trap, read_cases
from extraction.filling.task import Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate
from extraction.schema_files.native_format import load_schema
from models.base.errors import Bug, Cancelled, InputError
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.errors import ModelFileError, WorkerDied
from speech.transcript import Transcript
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.steps import NO_TIME, followed

SCHEMA = {
    "format": "wardlight-flowsheet/1",
    "id": "t",
    "name": "Test",
    "version": "1",
    "categories": [
        {
            "name": "Vitals",
            "rows": [
                {"id": "hr", "name": "Step count", "type": "numeric", "unit": "/min"},
                {"id": "nail", "name": "Nail beds | color", "type": "single_select", "options": ["pale", "pink"]},
                {"id": "skin", "name": "Skin", "type": "multi_select", "options": ["red", "dry", "warm"]},
            ],
        }
    ],
}
# Transcript, what a person charted, and what the scripted models read with which confidence.
CASES: dict[str, tuple[str, dict[str, Any], dict[str, tuple[Value, float]]]] = {
    "ward-1": ("Step count, she did 110.", {"hr": 110}, {"hr": (110.0, 0.9)}),
    "ward-2": ("Nail beds are pale.", {"nail": "pale", "skin": ["red"]}, {"nail": ("pink", 0.6)}),
    "ward-3": ("Skin is red and dry.", {"skin": ["red", "dry"]}, {"skin": (("red",), 0.8), "hr": (80.0, 0.2)}),
    "ward-4": ("She did 90 in all.", {"hr": 90, "nail": "blue"}, {"hr": (90.0, 0.3)}),
}
KEEP_FROM = 0.5
ROOT = Path(__file__).parents[4]


class FakeStages:
    """Reads what the case says; fails where it is told to."""

    def __init__(self) -> None:
        self.models = {"filler": "f", "embedder": "e"}
        self.ran: list[str] = []
        self.failing: dict[str, list[Exception]] = {}
        self.load_seconds = 0.0

    def __enter__(self) -> FakeStages:
        return self

    def __exit__(self, *_: object) -> None: ...

    def transcribe(self, *_: object) -> Any:
        raise AssertionError("the text of a case is known")

    def read_file(self, source: Transcript, schema: Schema, context: EncounterContext, *_: object) -> Outcome[Followed]:
        asked = (Candidate("hr", (), 0.9), Candidate("nail", (), 0.8))
        found = followed(source, schema, context, self._proposals, *asked)
        return Outcome(found, self.load_seconds, 100 * len(self.ran), 5, {"filler": "cpu"}, NO_TIME)

    def _proposals(self, task: Task) -> Proposals:
        case_id, (_, _, read) = next(found for found in CASES.items() if found[1][0] == task.text)
        self.ran.append(case_id)
        if failures := self.failing.get(case_id):
            raise failures.pop(0)
        values = [filled(row_id, *value) for row_id, value in read.items()]
        return Proposals(
            tuple(value for value in values if value.confidence >= KEEP_FROM),
            tuple(value for value in values if value.confidence < KEEP_FROM),
        )


def filled(row_id: str, value: Value, confidence: float) -> FilledValue:
    evidence, neighbour = Evidence(0, 5, str(value), 0, 5), Neighbour("row", row_id, 0)
    return FilledValue(row_id, value, None, evidence, -0.1, 0.1, confidence, 0.5, neighbour, "rowwise")


def case_lines() -> str:
    lines = []
    for case_id, (text, charted, _) in CASES.items():
        observations = [{"id": row, "value_type": "", "name": "", "value": value} for row, value in charted.items()]
        lines.append(json.dumps({"id": case_id, "transcript": text, "observations": json.dumps(observations)}))
    return "\n".join(lines)


@pytest.fixture
def stages() -> FakeStages:
    return FakeStages()


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return load_schema(tmp_path / "schema.json")


@pytest.fixture
def cases(tmp_path: Path, schema: Schema) -> Cases:
    (tmp_path / "cases.jsonl").write_text(case_lines(), encoding="utf-8")
    return read_cases(tmp_path / "cases.jsonl", schema)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def go(cases: Cases, schema: Schema, stages: FakeStages, out: Path, **changed: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"facts": {"ward": "12"}, "monitor": NOT_MONITORED}
    return evaluate(cases, schema, stages, changed.pop("settings", Settings()), out, **(usual | changed))


def scores(measured: dict[str, Any]) -> dict[str, Any]:
    """What of the metrics does not hang on the clock."""
    timed = ("seconds_per_case", "seconds_per_case_with_load", "tokens_per_case")
    kept = {name: value for name, value in measured.items() if name not in timed}
    untimed = [
        {name: case[name] for name in case if name not in ("seconds", "prompt_tokens")} for case in kept["per_case"]
    ]
    return kept | {"per_case": untimed}


def test_what_an_evaluation_writes(cases, schema, stages, out) -> None:
    measured = go(cases, schema, stages, out)
    assert json.loads((out / "metrics.json").read_text(encoding="utf-8")) == measured
    assert measured["micro"] == {"precision": 0.666667, "recall": 0.285714, "f1": 0.4, "gold": 7, "predicted": 3}
    assert measured["errors"] == {
        "not_retrieved": 1,
        "not_mentioned": 1,
        "held_back": 1,
        "wrong_value": 2,
        "extra_value": 1,
        "spurious_row": 0,
    }
    assert [(case["id"], case["f1"]) for case in measured["per_case"]] == [
        ("ward-1", 1.0),
        ("ward-2", 0.0),
        ("ward-3", 0.666667),
        ("ward-4", 0.0),
    ]
    assert measured["tokens_per_case"] == {"prompt": 250.0, "completion": 5.0}
    by_rules = {"proposed": 0, "wrong": 0, "wrong_and_lit": 0}
    assert measured["lights"] == {"lit": 0.6667, "wrong": 1, "caught": 1.0, "by_rules": by_rules}
    assert (measured["cases"], measured["devices"], measured["facts"]) == (4, {"filler": "cpu"}, {"ward": "12"})
    assert measured["repeats"] == {"count": 1, "micro_f1": [0.4], "mean": 0.4, "variation": None}
    assert measured["warnings"] == [
        'cases.jsonl, line 4, observation 2: "blue" is not an option of "Nail beds | color".'
    ]


def test_predictions_are_cases_that_read_back(cases, schema, stages, out) -> None:
    go(cases, schema, stages, out)
    predicted = read_cases(out / "predictions.jsonl", schema).cases
    assert [(case.id, case.text) for case in predicted] == [(case.id, case.text) for case in cases.cases]
    assert [{it.row_id: it.value for it in case.observations} for case in predicted] == [
        {"hr": 110.0},
        {"nail": "pink"},
        {"skin": ("red",)},
        {},
    ]


def test_the_report_names_cases_rows_and_circumstances(cases, schema, stages, out) -> None:
    go(cases, schema, stages, out)
    report = (out / "report.md").read_text(encoding="utf-8")
    for text in ("**micro-F1**: 0.400", f"| schema_sha256 | {schema.sha256} |", "| settings.top_k | 20 |"):
        assert text in report
    assert "| ward-2 | 0.000 | 1 | 0 | 0 | 1 | 1 | 0 |" in report
    assert "| Nail beds / color | nail | 0 | 1 | 0 | 1 | 1 | 0 |" in report
    assert "| ward-1 |" not in report  # nothing is wrong with it
    for plot in ("precision_recall.png", "f1_by_value_type.png", "seconds_per_case.png"):
        assert f"({plot})" in report
        assert (out / plot).read_bytes().startswith(b"\x89PNG")


def test_graded_cases_are_reported_with_what_is_not_shown(cases, schema, stages, out) -> None:
    def graded(case: Case) -> Case:
        words = {"hr": case.text, "nail": case.text, "skin": "Skin" if case.id == "ward-3" else "not in the text"}
        required = tuple(replace(one, words=words[one.row_id]) for one in case.observations)
        return replace(case, observations=required, acceptable=(), forbidden=(Trap("nail", "pink", "not_said"),))

    measured = go(replace(cases, cases=tuple(map(graded, cases.cases))), schema, stages, out)
    found = measured["graded"]
    assert (found["found"], found["required"], found["wrong"], found["proposed"]) == (2, 7, 1, 3)
    assert (found["traps_hit"], found["traps"], found["not_shown"]) == (1, 4, 1)
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "- **required values**: 0.286 of 7 proposed\n- **proposals**: 0.667 of 3 required or acceptable" in report
    assert "- **traps**: 1 of 4 hit\n- **not shown to a reviewer**: 1 required values" in report


def test_times_are_reported_apart_and_change_no_other_figure(cases, schema, stages, out, tmp_path) -> None:
    plain = scores(go(cases, schema, stages, tmp_path / "plain"))
    assert "times" not in plain
    timed = [
        replace(case, observations=tuple(replace(one, time="11:40") for one in case.observations))
        for case in cases.cases
    ]
    measured = scores(go(Cases(tuple(timed), (), cases.sha256), schema, stages, out))
    none = {"annotated": 0, "values_right": 0, "times_right": 0, "wrong_time": 0}
    found = {"annotated": 7, "values_right": 2, "times_right": 0, "wrong_time": 2}
    assert measured.pop("times") == {"cases": 4} | found | {"several": none}
    del measured["warnings"], plain["warnings"]
    assert measured == plain
    assert "- **observation times**: 0 of 2 right values, 7 annotated" in (out / "report.md").read_text("utf-8")


def test_the_loading_of_models_is_not_counted(cases, schema, stages, out) -> None:
    stages.load_seconds = 5.0
    measured = go(cases, schema, stages, out)
    for share in ("p50", "p90"):
        loaded = measured["seconds_per_case_with_load"][share] - measured["seconds_per_case"][share]
        assert loaded == pytest.approx(5.0, abs=0.01)


def test_repeats_and_their_variation(cases, schema, stages, out, monkeypatch) -> None:
    heard: list[Progress] = []
    text, charted, _ = CASES["ward-1"]

    def worse(report: Progress) -> None:
        heard.append(report)
        if report.fraction == 0.5:  # the second repeat misses what the first found
            monkeypatch.setitem(CASES, "ward-1", (text, charted, {}))

    measured = go(cases, schema, stages, out, repeat=2, monitor=ProgressMonitor(worse))
    first, second = 0.4, 2 / 9
    assert measured["repeats"]["micro_f1"] == pytest.approx([first, second], abs=1e-6)
    mean = (first + second) / 2
    assert measured["repeats"]["variation"] == pytest.approx((first - second) / 2**0.5 / mean, abs=1e-5)
    assert measured["micro"]["f1"] == 0.4
    assert [report.stage for report in heard] == ["eval"] * 9
    assert heard[0].message == "case 1 of 8"
    assert heard[2].message == "case 3 of 8, F1 so far 0.40"
    assert heard[-1].fraction == 1.0


@pytest.mark.parametrize("cut", [1, 40, -1, 0])
def test_an_interrupted_evaluation_resumes(cases, schema, stages, out, tmp_path, cut) -> None:
    whole = go(cases, schema, FakeStages(), tmp_path / "whole", repeat=2)
    go(cases, schema, FakeStages(), out, repeat=2)
    log = (out / "cases.jsonl").read_bytes()
    third = [place for place, byte in enumerate(log) if byte == ord("\n")][2]
    (out / "cases.jsonl").write_bytes(log[: third + 1 + cut])  # -1: the end of the third line is missing
    continued = go(cases, schema, stages, out, repeat=2, resume=True)
    assert stages.ran == [*(["ward-3"] if cut == -1 else []), "ward-4", *CASES]
    assert scores(continued) == scores(whole)
    assert len((out / "cases.jsonl").read_bytes().splitlines()) == 8


def test_a_finished_evaluation_is_not_run_again_and_may_get_more_repeats(cases, schema, stages, out) -> None:
    first = go(cases, schema, FakeStages(), out)
    assert go(cases, schema, stages, out, resume=True) == first
    assert stages.ran == []
    assert go(cases, schema, stages, out, resume=True, repeat=2)["repeats"]["count"] == 2
    assert stages.ran == list(CASES)


KILLED = """
import sys, os, signal
from pathlib import Path
from extraction.annotation.case_files import read_cases
from extraction.schema_files.native_format import load_schema
from tests.unit.app.evaluation.test_run import FakeStages, go

class Killed(FakeStages):
    def read_file(self, *given):
        if len(self.ran) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read_file(*given)

place = Path(sys.argv[1])
schema = load_schema(place / "schema.json")
go(read_cases(place / "cases.jsonl", schema), schema, Killed(), place / "out")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_what_was_finished_survives_a_kill(cases, schema, stages, out, tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path], cwd=ROOT, capture_output=True, timeout=PATIENCE_SECONDS
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    continued = go(cases, schema, stages, out, resume=True)
    assert stages.ran == ["ward-3", "ward-4"]
    assert scores(continued) == scores(go(cases, schema, FakeStages(), tmp_path / "whole"))


def test_a_folder_with_something_in_it_is_left_alone(cases, schema, stages, out) -> None:
    out.mkdir()
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="is not empty"):
        go(cases, schema, stages, out)
    with pytest.raises(InputError, match="holds no evaluation"):
        go(cases, schema, stages, out, resume=True)
    assert [path.name for path in out.iterdir()] == ["notes.txt"]
    assert stages.ran == []


def test_an_evaluation_continues_only_under_its_own_circumstances(cases, schema, stages, out, monkeypatch) -> None:
    go(cases, schema, stages, out)
    for changed, field in (
        ({"settings": Settings(top_k=8)}, "settings.top_k: 20 then, 8 now"),
        ({"schema": replace(schema, sha256="1" * 64)}, "schema_sha256"),
        ({"cases": replace(cases, sha256="1" * 64)}, "cases_sha256"),
    ):
        with pytest.raises(InputError) as caught:
            go(**({"cases": cases, "schema": schema, "stages": stages, "out": out} | changed), resume=True)
        assert f"begun with another {field}" in caught.value.what
    stages.models["filler"] = "larger"
    with pytest.raises(InputError, match=r"another models\.filler: f then, larger now"):
        go(cases, schema, stages, out, resume=True)
    stages.models["filler"] = "f"
    go(cases, schema, stages, out, resume=True, settings=Settings(theme="dark", reviewer="RN Adams"))


def test_what_was_learned_is_known_by_its_content(cases, schema, stages, tmp_path) -> None:
    def now(learned: str = "") -> dict[str, Any]:
        return circumstances_of(Settings(learned=learned), schema, cases.sha256, stages.models)

    folder = tmp_path / "learned"
    folder.mkdir()
    (folder / "one").write_text("a", encoding="utf-8")
    before = now(str(folder))
    assert set(differing(now(), before)) == {"learned_sha256"}
    folder.rename(tmp_path / "moved")
    assert differing(before, now(str(tmp_path / "moved"))) == {}
    (tmp_path / "moved" / "one").rename(tmp_path / "moved" / "two")
    assert set(differing(before, now(str(tmp_path / "moved")))) == {"learned_sha256"}
    with pytest.raises(InputError, match="learned cannot be read: it is not a folder"):
        now(str(folder))


def test_a_damaged_log_is_reported(cases, schema, stages, out) -> None:
    go(cases, schema, stages, out)
    log = (out / "cases.jsonl").read_bytes().splitlines(keepends=True)
    (out / "cases.jsonl").write_bytes(b"".join([log[0], b'{"id": "ward-2"}\n', *log[2:]]))
    with pytest.raises(InputError, match=r"cases\.jsonl, line 2 is damaged"):
        go(cases, schema, stages, out, resume=True)
    (out / "run.json").write_text("[", encoding="utf-8")
    with pytest.raises(InputError, match=r"run\.json is damaged"):
        go(cases, schema, stages, out, resume=True)


def test_a_failing_case_is_named_and_the_finished_ones_are_kept(cases, schema, stages, out) -> None:
    stages.failing["ward-3"] = [ModelFileError("The model is damaged.", "Install it.")]
    with pytest.raises(ModelFileError) as caught:
        go(cases, schema, stages, out)
    assert caught.value.what == "Case ward-3: The model is damaged."
    assert caught.value.next_step == "Install it. The finished cases are kept: continue with --resume."
    assert not (out / "metrics.json").exists()
    stages.ran.clear()
    go(cases, schema, stages, out, resume=True)
    assert stages.ran == ["ward-3", "ward-4"]


def test_a_defect_in_a_case_stays_a_defect(cases, schema, stages, out) -> None:
    stages.failing["ward-1"] = [Bug("ZeroDivisionError", details="Traceback ...")]
    with pytest.raises(Bug, match=r"Case ward-1: ZeroDivisionError") as caught:
        go(cases, schema, stages, out)
    assert caught.value.details == "Traceback ..."


def test_a_case_whose_process_died_is_run_once_more(cases, schema, stages, out) -> None:
    died = WorkerDied("The inference process ended.", "Try again.", retryable=True)
    stages.failing["ward-2"] = [died]
    assert go(cases, schema, stages, out)["cases"] == 4
    assert stages.ran == ["ward-1", "ward-2", "ward-2", "ward-3", "ward-4"]
    stages.failing["ward-2"] = [died, died]
    with pytest.raises(WorkerDied, match="Case ward-2: The inference process ended"):
        go(cases, schema, stages, out.with_name("again"))


def test_stopping_keeps_what_is_finished(cases, schema, stages, out) -> None:
    with pytest.raises(Cancelled):
        go(cases, schema, stages, out, monitor=ProgressMonitor(cancelled=lambda: len(stages.ran) == 2))
    assert len((out / "cases.jsonl").read_bytes().splitlines()) == 2
    assert go(cases, schema, stages, out, resume=True)["cases"] == 4
    assert stages.ran == list(CASES)


def test_two_evaluations_side_by_side(cases, schema, stages, out, tmp_path, monkeypatch) -> None:
    go(cases, schema, stages, out)
    text, charted, _ = CASES["ward-2"]
    monkeypatch.setitem(CASES, "ward-2", (text, charted, {"nail": ("pale", 0.9), "skin": (("red",), 0.9)}))
    better = tmp_path / "better"
    go(cases, schema, FakeStages(), better, settings=Settings(top_k=8))
    found = compare(out, better)
    assert found["cases"] == 4
    assert found["micro_f1"]["difference"] == pytest.approx(8 / 11 - 0.4, abs=1e-6)
    assert found["micro_f1"]["low"] <= found["micro_f1"]["difference"] <= found["micro_f1"]["high"]
    assert found["case_f1"]["b"] - found["case_f1"]["a"] == pytest.approx(0.25)
    assert found["prompt_tokens"] == {"a": 250.0, "b": 250.0, "p": 1.0}
    assert found["differs"] == {"settings.top_k": [20, 8]}
    assert compare(out, out)["micro_f1"] == {"a": 0.4, "b": 0.4, "difference": 0.0, "low": 0.0, "high": 0.0}


def test_what_cannot_be_compared(cases, schema, stages, out, tmp_path) -> None:
    go(cases, schema, stages, out)
    with pytest.raises(InputError, match="holds no finished evaluation"):
        compare(out, tmp_path / "nowhere")
    go(replace(cases, sha256="1" * 64), schema, FakeStages(), tmp_path / "other")
    with pytest.raises(InputError, match="different cases"):
        compare(out, tmp_path / "other")
    (out / "metrics.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"metrics\.json is damaged"):
        compare(out, tmp_path / "other")


# the command line


@pytest.fixture
def on_fakes(monkeypatch: pytest.MonkeyPatch, stages: FakeStages, cases: Cases) -> FakeStages:
    monkeypatch.setattr("app.cli.measuring.evaluate.open_inference", lambda _settings: stages)
    return stages


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def command(out: Path, *more: object) -> tuple[object, ...]:
    files = ("--schema", out.parent / "schema.json", "--cases", out.parent / "cases.jsonl", "--out", out)
    return ("eval", *files, *more)


def test_eval_and_compare_as_tables_and_as_json(on_fakes, out, capsys) -> None:
    code, printed, said = run(capsys, *command(out))
    assert code == 0
    assert "micro-F1" in printed
    assert str(out / "report.md") in printed
    assert '"blue" is not an option' in said
    code, printed, _ = run(capsys, *command(out, "--resume", "--json"))
    assert (code, json.loads(printed)["micro"]["f1"]) == (0, 0.4)
    assert json.loads(printed)["facts"]["machine"]["cores"] >= 1
    code, printed, _ = run(capsys, "eval", "compare", out, out)
    assert code == 0
    assert "interval of the difference: +0.000 to +0.000" in printed
    code, printed, _ = run(capsys, "eval", "compare", out, out, "--json")
    assert (code, json.loads(printed)["cases"]) == (0, 4)


def test_eval_tells_mistakes_in_words(on_fakes, out, capsys, monkeypatch) -> None:
    monkeypatch.setattr("app.cli.measuring.learn._WARNINGS_SHOWN", 0)
    cases_file = out.parent / "cases.jsonl"
    for arguments, says in (
        (("eval", "--cases", cases_file), "No cases or no output folder was given."),
        (command(out, "--repeat", 0), "--repeat cannot be 0"),
        (("eval", "compare", out, out), "holds no finished evaluation"),
        ((*command(out), "--out", out.parent), "is not empty"),
    ):
        code, printed, said = run(capsys, *arguments)
        assert (code, printed) == (2, "")
        assert says in said
    assert "listed in the report: 1 more" in said
    cases_file.write_text('{"id": "a", "transcript": "Skin is dry."}', encoding="utf-8")
    code, _, said = run(capsys, *command(out))
    assert code == 2
    assert 'cases.jsonl, line 1: the field "observations" is missing' in said
    assert not out.exists()


def test_ctrl_c_says_how_to_resume(on_fakes, out, capsys) -> None:
    on_fakes.failing["ward-3"] = [Cancelled()]
    code, printed, said = run(capsys, *command(out))
    assert (code, printed) == (130, "")
    assert "Continue with the same command and --resume." in said
    code, _, _ = run(capsys, *command(out, "--resume"))
    assert code == 0
