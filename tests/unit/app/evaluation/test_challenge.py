"""Utterances with their gold: read, judged, measured and reported. The models are scripted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.evaluation.challenge import figures, measure
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.system.settings import Settings
from extraction.annotation.challenge_cases import PHENOMENA, Utterance, judge, read_utterances
from extraction.filling.task import Task
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate
from extraction.schema_files.native_format import load_schema
from models.base.errors import Cancelled, InputError
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.errors import WorkerDied
from speech.transcript import Transcript
from tests.kit.steps import NO_TIME, followed

SCHEMA = Schema(
    "t",
    "Test",
    "1",
    (
        Row("hr", "Step count", ValueType.NUMERIC, ("Vitals",), unit="/min", minimum=0, maximum=300),
        Row("bp", "Calf pressure", ValueType.BLOOD_PRESSURE, ("Vitals",), unit="mm[Hg]"),
        Row("skin", "Skin", ValueType.MULTI_SELECT, ("Skin",), options=(Option("Red"), Option("Dry"))),
        Row("nausea", "Nausea", ValueType.YES_NO, ("Abdomen",)),
    ),
    "0" * 64,
    "test.json",
)
LINES: dict[str, list[dict[str, Any]]] = {
    "corrections": [
        {"id": "c1", "text": "Step count 110.", "gold": [{"row_id": "hr", "value": 110}]},
        {"id": "c2", "text": "Pressure 130 over 80.", "gold": [{"row_id": "bp", "value": "130/80"}]},
    ],
    "negation": [
        {"id": "n1", "text": "No nausea.", "gold": [{"row_id": "nausea", "value": False}], "absent": ["skin"]},
        {"id": "n2", "text": "Skin is dry and red.", "gold": [{"row_id": "skin", "value": ["Dry", "Red"]}]},
    ],
}
READ: dict[str, tuple[tuple[str, Value], ...]] = {
    "c1": (("hr", 110.0),),
    "c2": (("bp", "130/90"),),
    "n1": (("nausea", False), ("skin", ("Dry",)), ("hr", 60.0)),
    "n2": (("skin", ("Red", "Dry")), ("hr", 70.0)),
}


def filled(row_id: str, value: Value) -> FilledValue:
    unit = SCHEMA.row(row_id).unit
    evidence, neighbour = Evidence(0, 4, "said", 0, 4), Neighbour("row", row_id, 0)
    return FilledValue(row_id, value, unit, evidence, -0.1, 0.1, 0.9, 0.5, neighbour, "rowwise")


class FakeStages:
    """Reads out of every text what READ says of its case."""

    def __init__(self) -> None:
        self.models = {"speech": "s", "filler": "f", "embedder": "e"}
        self.ran: list[str] = []
        self.dies = 0

    def __enter__(self) -> FakeStages:
        return self

    def __exit__(self, *_: object) -> None: ...

    def transcribe(self, *_: object) -> Any:
        raise AssertionError("the text of a case is known")

    def read_file(self, source: Transcript, schema: Schema, context: EncounterContext, *_: object) -> Outcome[Followed]:
        found = followed(source, schema, context, self._proposals, Candidate("bp", (), 0.9))
        return Outcome(found, 0.0, 10, 1, {"filler": "cpu"}, NO_TIME)

    def _proposals(self, task: Task) -> Proposals:
        case_id = next(line["id"] for lines in LINES.values() for line in lines if line["text"] == task.text)
        self.ran.append(case_id)
        if self.dies:
            self.dies -= 1
            raise WorkerDied("The inference process ended unexpectedly.", "Try again.", retryable=True)
        return Proposals(tuple(filled(*read) for read in READ[case_id]), ())


@pytest.fixture
def stages() -> FakeStages:
    return FakeStages()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, LINES)


def write(folder: Path, lines: dict[str, list[dict[str, Any]]]) -> Path:
    for name, cases in lines.items():
        text = "".join(json.dumps(case) + "\n" for case in cases)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def go(
    folder: Path,
    stages: FakeStages,
    out: Path,
    monitor: ProgressMonitor = NOT_MONITORED,
) -> dict[str, Any]:
    cases = read_utterances(folder, SCHEMA)
    return measure(cases, SCHEMA, stages, Settings(), out, facts={}, monitor=monitor)


def test_a_case_counts_as_right_only_when_all_of_it_is(folder, stages, tmp_path) -> None:
    measured = go(folder, stages, tmp_path / "out")
    found = {name: (of["cases"], of["right"], of["share"]) for name, of in measured["phenomena"].items()}
    assert found == {"corrections": (2, 1, 0.5), "negation": (2, 1, 0.5)}
    assert [failure["id"] for failure in measured["failures"]] == ["c2", "n1"]
    assert measured["all"] | {"seconds": 0} == {
        "cases": 4, "right": 2, "share": 0.5, "gold": 4, "missed": 1, "wrong": 1, "forbidden": 1, "unlit": 0,
        "extra": 2, "seconds": 0,
    }  # fmt: skip
    written = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(measured))
    assert [(one["row_id"], one["value"]) for one in written["failures"][1]["forbidden"]] == [("skin", ["Dry"])]


def test_the_report_shows_every_failure_with_what_was_said_instead(folder, stages, tmp_path) -> None:
    go(folder, stages, tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "| corrections | 2 | 1 | 50% |" in page
    assert "**c2**: Pressure 130 over 80." in page
    assert "- missed: Calf pressure (bp) = 130/80 (the row was asked)" in page
    assert '- wrong: Calf pressure (bp) = 130/90 mmHg, from "said" at 0.90' in page
    assert "- must not be charted: Skin (skin) = Dry" in page
    assert "**c1**" not in page


def test_progress_names_case_and_score_and_a_stop_leaves_no_figures(folder, stages, tmp_path) -> None:
    reports: list[Progress] = []
    go(folder, stages, tmp_path / "all", ProgressMonitor(reports.append))
    assert [report.message for report in reports][1:3] == [
        "corrections, case 2 of 4, 1 right so far",
        "negation, case 3 of 4, 1 right so far",
    ]
    assert reports[-1] == Progress("eval", 1.0, "4 cases, 2 right")
    stages.ran.clear()
    with pytest.raises(Cancelled):
        go(folder, stages, tmp_path / "some", monitor=ProgressMonitor(cancelled=lambda: len(stages.ran) == 2))
    assert stages.ran == ["c1", "c2"]
    assert not (tmp_path / "some" / "metrics.json").exists()


def test_a_case_is_run_again_when_the_models_die(folder, stages, tmp_path) -> None:
    stages.dies = 1
    assert go(folder, stages, tmp_path / "out")["all"]["right"] == 2
    stages.dies = 2
    with pytest.raises(WorkerDied, match="Case c1: "):
        go(folder, stages, tmp_path / "again")


def case(*gold: dict[str, Any], absent: tuple[str, ...] = (), folder: Path) -> Utterance:
    line = {"id": "x", "text": "Said.", "gold": gold, "absent": absent}
    return read_utterances(write(folder, {"times": [line]}), SCHEMA).cases[0]


def test_a_value_that_needs_a_doubt_is_not_right_without_one(tmp_path) -> None:
    doubtful = case({"row_id": "hr", "value": 900, "lit": True}, folder=tmp_path)
    value = filled("hr", 900.0)
    assert judge(doubtful, [value], [True]).right
    silent = judge(doubtful, [value], [False])
    assert (silent.right, [gold.row_id for gold in silent.unlit]) == (False, ["hr"])


def test_unit_and_attributes_of_a_value_must_match(tmp_path) -> None:
    in_beats = case({"row_id": "hr", "value": 90, "unit": "/min"}, folder=tmp_path)
    assert judge(in_beats, [filled("hr", 90.0)], [False]).right
    assert not judge(in_beats, [replace(filled("hr", 90.0), unit="Hz")], [False]).right
    timed = case({"row_id": "hr", "value": 90, "time": "05:05"}, folder=tmp_path)
    assert not judge(timed, [filled("hr", 90.0)], [False]).right


def test_serial_values_of_one_row_must_all_be_there_and_no_other(tmp_path) -> None:
    serial = case({"row_id": "hr", "value": 90}, {"row_id": "hr", "value": 96}, folder=tmp_path)
    first, second, third = (filled("hr", rate) for rate in (90.0, 96.0, 99.0))
    assert judge(serial, [first, second], [False] * 2).right
    assert [gold.value for gold in judge(serial, [first], [False]).missed] == [96.0]
    assert judge(serial, [first, second, third], [False] * 3).wrong == (third,)


def test_only_some_phenomena(folder) -> None:
    assert [case.id for case in read_utterances(folder, SCHEMA, ["negation"]).cases] == ["n1", "n2"]
    with pytest.raises(InputError, match="no phenomenon called 'jokes'"):
        read_utterances(folder, SCHEMA, ["jokes"])
    with pytest.raises(InputError, match=r"no file .*scores\.jsonl"):
        read_utterances(folder, SCHEMA, ["scores"])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"id": "x", "text": "A.", "gold": [{"row_id": "zz", "value": 1}]}, 'has no row "zz"'),
        ({"id": "x", "text": "A.", "gold": [{"row_id": "skin", "value": "Blue"}]}, "'Blue' cannot be a value"),
        ({"id": "x", "text": "A.", "gold": [{"row_id": "hr", "value": 1, "when": "now"}]}, '"when" is not known'),
        ({"id": "x", "text": "A.", "gold": [], "absent": ["zz"]}, 'has no row "zz"'),
        ({"id": "x", "text": " ", "gold": []}, '"text" is empty'),
        ({"id": "x", "text": "A."}, 'the field "gold" is missing'),
        ({"id": "c1", "text": "A.", "gold": []}, 'the id "c1" is already used'),
    ],
)
def test_a_case_that_cannot_be_used_is_named(folder, line, says) -> None:
    write(folder, {"times": [line]})
    with pytest.raises(InputError, match="line 1") as found:
        read_utterances(folder, SCHEMA)
    assert says in found.value.what


def test_a_case_that_needs_more_than_its_text_is_refused(folder, stages, tmp_path) -> None:
    line = {"id": "x", "text": "Said.", "gold": [], "context": {"dictated": "2026-03-03T07:00"}}
    write(folder, {"times": [line]})
    with pytest.raises(InputError, match="Case x has the context 'dictated'"):
        go(folder, stages, tmp_path / "out")
    assert stages.ran == []


def test_the_command(folder, stages, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("app.cli.measuring.challenge.open_inference", lambda _settings: stages)
    monkeypatch.setattr("app.cli.measuring.challenge.read_schema", lambda _path: (SCHEMA, b""))
    out = tmp_path / "out"
    code = main(["eval", "utterances", "--cases", str(folder), "--only", "corrections", "--out", str(out)])
    printed = capsys.readouterr().out
    assert (code, stages.ran) == (0, ["c1", "c2"])
    assert "corrections  2      1      50%" in printed
    assert main(["eval", "utterances", "--cases", str(folder), "--out", str(out), "--json"]) == 2
    assert "is not empty" in json.loads(capsys.readouterr().out)["what"]


def test_figures_end_with_all_together(folder, stages, tmp_path) -> None:
    assert [line[:4] for line in figures(go(folder, stages, tmp_path / "out"))] == [
        ("corrections", "2", "1", "50%"),
        ("negation", "2", "1", "50%"),
        ("all", "4", "2", "50%"),
    ]


def test_our_own_cases_can_be_read() -> None:
    root = Path(__file__).parents[4]
    schema = load_schema(root / "resources" / "schemas" / "medsurg_icu.json")
    cases = read_utterances(root / "resources" / "challenge", schema)
    counted = {name: sum(case.phenomenon == name for case in cases.cases) for name in PHENOMENA}
    assert all(counted[name] >= 25 for name in ("corrections", "numbers", "negation"))
    blind = read_utterances(root / "tests" / "utterances_blind", schema)
    assert Counter(case.phenomenon for case in blind.cases) == dict.fromkeys(PHENOMENA[:7], 12)
    unseen = read_utterances(root / "tests" / "utterances_unseen", schema)
    assert Counter(case.phenomenon for case in unseen.cases).keys() == set(PHENOMENA)
    assert len(unseen.cases) >= 150
