"""The conditions of an ablation run one after the other, stopped and continued, and the table of rankings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from app.evaluation.papers.__main__ import main
from app.evaluation.papers.ablation.baselines import reduced
from app.evaluation.papers.ablation.conditions import CONDITIONS
from app.evaluation.papers.ablation.retrieval import measure_retrieval
from app.evaluation.papers.ablation.run import ABLATIONS, ConditionStages, ablate, chosen_conditions, first
from app.system.settings import Settings
from extraction.annotation.case_files import Cases, case_line
from extraction.preparation.encounter_context import NO_CONTEXT
from models.base.errors import Cancelled, InputError
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.errors import ModelFileError
from models.process.messages import Channel
from speech.transcript import Transcript
from tests.kit.conditions import CASES, EXAMPLES, SCHEMA, FakeDoor, scripted, shown_rows


@pytest.fixture
def door() -> FakeDoor:
    return FakeDoor()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture(autouse=True)
def no_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of each single evaluation is tested in its own place, and its plots take their time."""
    monkeypatch.setattr("app.evaluation.run.report_files", lambda *_: {})


def go(door: FakeDoor, out: Path, *names: str, **changed: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "examples": EXAMPLES,
        "facts": {"ward": "12"},
        "monitor": NOT_MONITORED,
    }
    conditions = chosen_conditions(ABLATIONS["long"], names, examples=True)
    baseline = changed.pop("baseline", conditions[0].name)
    cases = changed.pop("cases", CASES)
    return ablate(conditions, baseline, cases, SCHEMA, door, Settings(), out, **(usual | changed))


def asked(door: FakeDoor, name: str, text: str) -> list[str]:
    stages = ConditionStages(door, CONDITIONS[name], Settings(), CASES.cases, EXAMPLES.cases)  # type: ignore[arg-type]
    found = stages.read_file(Transcript(text), SCHEMA, NO_CONTEXT, [], Channel(SimpleQueue(), print), NOT_MONITORED)
    return [candidate.row_id for candidate in found.value.extraction.candidates]


def test_the_lists_name_conditions_that_exist() -> None:
    for ablation in ABLATIONS.values():
        assert set(ablation.conditions) <= set(CONDITIONS)
        assert ablation.baseline in ablation.conditions
    assert set(ABLATIONS["long"].conditions) == set(CONDITIONS)


def test_conditions_that_need_examples_are_left_out_without_them() -> None:
    with_examples = chosen_conditions(ABLATIONS["long"], (), examples=True)
    without = chosen_conditions(ABLATIONS["long"], (), examples=False)
    left_out = {condition.name for condition in with_examples} - {condition.name for condition in without}
    assert left_out == {
        *("example", "to-schema", "to-prompt", "to-both", "pruned+3", "pruned+5", "pruned+10"),
        *("rowwise+example", "rowwise+both"),
    }
    with pytest.raises(InputError, match="to-both needs examples"):
        chosen_conditions(ABLATIONS["short"], ["row", "to-both"], examples=False)
    with pytest.raises(InputError, match="no condition rwo"):
        chosen_conditions(ABLATIONS["short"], ["rwo"], examples=True)
    named = chosen_conditions(ABLATIONS["short"], ["pruned", "full-schema"], examples=False)
    assert [condition.name for condition in named] == ["full-schema", "pruned"]


def test_a_part_of_the_cases_is_known_as_one() -> None:
    assert first(CASES, 3) is first(CASES, 9) is CASES
    some = first(CASES, 2)
    assert [case.id for case in some.cases] == ["w1", "w2"]
    assert len({CASES.sha256, some.sha256, first(CASES, 1).sha256}) == 3


def test_every_condition_runs_from_text_to_values(door, out, monkeypatch) -> None:
    prompts = scripted(monkeypatch, lambda _: {"Ward": {"Step count": 110}})
    table = go(door, out, cases=first(CASES, 1), baseline="full-schema")
    lines = {line["condition"]: line for line in table["conditions"]}
    assert list(lines) == list(CONDITIONS)
    assert table == json.loads((out / "ablation.json").read_text(encoding="utf-8"))
    audited = {name for name, condition in CONDITIONS.items() if condition.audit}
    by_json = {name for name, condition in CONDITIONS.items() if condition.filler == "json"}
    assert len(prompts) == len(by_json) + len(audited)
    # Of three charted items the product reads the step count and JSON its unit, too; row by row, rules find the third.
    assert {lines[name]["recall"] for name in by_json - {"example"}} == {0.666667}
    assert lines["rowwise"]["recall"] == 0.333333
    assert {lines[name]["recall"] for name in set(CONDITIONS) - by_json - {"rowwise", "rowwise+example"}} == {1.0}
    assert {line["precision"] for line in lines.values()} == {1.0}
    assert lines["full-schema"]["rows_asked"] == 6.0
    assert lines["oracle"]["rows_asked"] == 2.0
    assert lines["rowwise"]["rows_asked"] == 1.0
    assert (lines["rowwise"]["prompt_tokens"], lines["rowwise"]["completion_tokens"]) == (10.0, 1.0)
    assert (lines["full-schema"]["difference"], lines["full-schema"]["p"]) == (0.0, 1.0)
    assert lines["rowwise"]["difference"] == pytest.approx(0.5 - 0.8)
    assert lines["rowwise"]["low"] <= lines["rowwise"]["difference"] <= lines["rowwise"]["high"]


def test_the_page_holds_the_table_and_its_plot(door, out) -> None:
    go(door, out, "rowwise", "rowwise+oracle", baseline="rowwise+oracle")
    page = (out / "ablation.md").read_text(encoding="utf-8")
    assert "against rowwise+oracle." in page
    # Of eight charted items the product proposes two, and a wrong one; a rule replaces the fake's 110 by the 72 said.
    assert "| rowwise | 0.364 | 0.667 | 0.250 | 1.0 |" in page
    assert "| rowwise+oracle | 0.615 | 0.800 | 0.500 | 2.0 |" in page
    assert "| baseline |" in page
    assert "| ward | 12 |" in page
    assert (out / "ablation.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((out / "rowwise" / "metrics.json").read_text(encoding="utf-8"))["micro"]["gold"] == 8


def test_all_that_json_answers_is_proposed(door, out, monkeypatch) -> None:
    scripted(monkeypatch, lambda _: {"Ward": {"Step count": 110, "Nailbed color": "pink"}})
    go(door, out, "row", cases=first(CASES, 1))
    run = json.loads((out / "row" / "cases.jsonl").read_text(encoding="utf-8"))
    assert {value["row_id"] for value in run["values"]} == {"hr", "hr_unit", "nail"}
    assert run["held_back"] == []


def test_scopes_cut_the_transcript_and_topics_are_the_models(door, monkeypatch) -> None:
    scripted(monkeypatch, lambda _: {})
    parts: dict[str, list[str]] = {}

    def noted(name: str) -> Any:
        def cut(library: Any, reduction: Any, text: str, segments: Any, own: Any) -> Any:
            parts[name] = [part.text for part in segments]
            return reduced(library, reduction, text, segments, own)

        return cut

    text = CASES.cases[0].text
    for name in ("row", "row+paragraph", "row+whole", "row+topics"):
        monkeypatch.setattr("app.evaluation.papers.ablation.tasks.reduced", noted(name))
        asked(door, name, text)
    assert parts["row"] == ["Step count is 110.", "Nailbed color is pale.", "Slept well."]
    assert parts["row+paragraph"] == ["Step count is 110.", "Nailbed color is pale. Slept well."]
    assert parts["row+whole"] == [text]
    assert parts["row+topics"] == parts["row"], "the fake sees a new topic in each sentence"


def test_the_oracle_asks_for_what_was_charted_and_knows_no_other_text(door, monkeypatch) -> None:
    scripted(monkeypatch, lambda _: {})
    assert set(asked(door, "oracle", CASES.cases[1].text)) == {"skin", "diet"}
    assert asked(door, "rowwise+oracle", "Nailbed color is pale.") == []


def test_examples_are_shown_and_never_the_case_itself(door, out, monkeypatch) -> None:
    prompts = scripted(monkeypatch, lambda _: {})
    every = Cases((*EXAMPLES.cases, *CASES.cases), (), "3" * 64)
    go(door, out, "to-both", "pruned+10", examples=every, cases=first(CASES, 1))
    text = CASES.cases[0].text
    assert len(prompts) == 2
    for prompt in prompts:
        worked = prompt.split("Dictation:")[1:-1]
        assert worked
        assert not any("110" in shown or "Nailbed color is pale" in shown for shown in worked)
    assert prompts[0].count("Dictation:") > prompts[1].count("Dictation:")  # sentences, and whole cases
    assert text in prompts[0].split("Dictation:")[-1]


def test_a_schema_that_is_too_long_loses_its_last_rows(out, monkeypatch) -> None:
    prompts = scripted(monkeypatch, lambda _: {})
    table = go(FakeDoor(context_tokens=1_600), out, "full-schema", cases=first(CASES, 1))
    assert 0 < table["conditions"][0]["rows_asked"] < 6
    assert len(shown_rows(prompts[0])) == table["conditions"][0]["rows_asked"]
    assert len(prompts[0]) <= 1_600 - 800


def test_progress_names_condition_and_case(door, out) -> None:
    heard: list[Progress] = []
    go(door, out, "rowwise", "rowwise+row", monitor=ProgressMonitor(heard.append))
    assert heard[0].message == "condition 1 of 2, case 1 of 3"
    assert heard[5].message.startswith("condition 2 of 2, case 2 of 3")
    shares = [report.fraction for report in heard]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_stopped_ablation_resumes(door, out, tmp_path) -> None:
    whole = go(FakeDoor(), tmp_path / "whole", "rowwise", "rowwise+row")
    with pytest.raises(Cancelled):
        go(door, out, "rowwise", "rowwise+row", monitor=ProgressMonitor(cancelled=lambda: len(door.filled) == 4))
    assert not (out / "ablation.json").exists()
    with pytest.raises(InputError, match="is not empty"):
        go(door, out, "rowwise", "rowwise+row")
    again = FakeDoor()
    continued = go(again, out, "rowwise", "rowwise+row", resume=True)
    assert [text for _, text in again.filled] == [case.text for case in CASES.cases], "the fourth was not finished"

    def untimed(table: dict[str, Any]) -> list[dict[str, Any]]:
        return [line | {"seconds_p50": None} for line in table["conditions"]]

    assert untimed(continued) == untimed(whole)
    more = go(FakeDoor(), out, "rowwise", "rowwise+row", "rowwise+pruned", resume=True)
    assert [line["condition"] for line in more["conditions"]] == ["rowwise", "rowwise+row", "rowwise+pruned"]


def test_an_ablation_continues_only_under_its_own_circumstances(door, out, monkeypatch) -> None:
    go(door, out, "rowwise+row")
    with pytest.raises(InputError, match="another examples_sha256"):
        go(door, out, "rowwise+row", resume=True, examples=None)
    with pytest.raises(InputError, match="another cases_sha256"):
        go(door, out, "rowwise+row", resume=True, cases=first(CASES, 1))
    monkeypatch.setitem(CONDITIONS, "rowwise+row", replace(CONDITIONS["rowwise+pruned"], name="rowwise+row"))
    with pytest.raises(InputError, match=r"another settings\.condition"):
        go(door, out, "rowwise+row", resume=True)


def test_a_failing_condition_keeps_the_others(door, out) -> None:
    go(door, out, "rowwise")
    door.failing = [ModelFileError("The model is damaged.", "Install it.")]
    with pytest.raises(ModelFileError, match="Case w1: The model is damaged"):
        go(door, out, "rowwise", "rowwise+row", resume=True)
    assert len(door.filled) == 3
    go(door, out, "rowwise", "rowwise+row", resume=True)
    assert len(door.filled) == 6


# rankings


def ranked(door: FakeDoor, out: Path, **changed: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"examples": EXAMPLES, "monitor": NOT_MONITORED}
    return measure_retrieval(CASES, SCHEMA, door, Settings(), out, **(usual | {"facts": {}} | changed))


def test_retrieval_is_measured_at_k_for_each_ranking_and_segment(door, out) -> None:
    table = ranked(door, out)
    lines = {(line["ranking"], line["segments"], line["k"]): line for line in table["rankings"]}
    assert len(lines) == 3 * 3 * 5 + 5
    assert lines["wardlight", "dictation", 60]["recall"] == 1.0
    assert lines["row", "whole", 60]["recall"] == 1.0
    assert lines["row", "whole", 60]["rows"] == 6.0
    assert lines["row", "whole", 60]["precision"] == pytest.approx(2 / 6, abs=1e-6)
    # One row for each of the sentences: of "Slept well." and "She ate the regular tray." a guess.
    at_one = lines["row", "sentence", 1]
    assert at_one["recall"] > lines["row", "whole", 1]["recall"]
    for ranking in ("names-only", "row", "row+examples"):
        recalls = [lines[ranking, "sentence", k]["recall"] for k in (1, 5, 10, 30, 60)]
        assert recalls == sorted(recalls)
    assert door.filled == []
    page = (out / "retrieval.md").read_text(encoding="utf-8")
    assert "| row | whole | 60 | 0.333 | 1.000 |" in page
    assert (out / "retrieval.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="is not empty"):
        ranked(door, out)


def test_retrieval_without_examples_and_stopped(door, out, tmp_path) -> None:
    assert {line["ranking"] for line in ranked(door, out, examples=None)["rankings"]} == {
        "names-only",
        "row",
        "wardlight",
    }
    with pytest.raises(Cancelled):
        ranked(door, tmp_path / "stopped", monitor=ProgressMonitor(cancelled=lambda: True))
    assert not (tmp_path / "stopped" / "retrieval.json").exists()


# the command line


SCHEMA_FILE = {
    "format": "wardlight-flowsheet/1",
    "id": "t",
    "name": "Test",
    "version": "1",
    "categories": [
        {
            "name": "Ward",
            "rows": [
                {"id": "hr", "name": "Step count", "type": "numeric"},
                {"id": "nail", "name": "Nailbed color", "type": "single_select", "options": ["pale", "pink"]},
            ],
        }
    ],
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, door: FakeDoor) -> tuple[object, ...]:
    monkeypatch.setattr("app.evaluation.papers.ablation.command.open_inference", lambda _settings: door)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA_FILE), encoding="utf-8")
    for name, cases in (("cases", CASES), ("examples", EXAMPLES)):
        known = ("hr", "nail")
        lines = [
            case_line(case.id, case.text, [it for it in case.observations if it.row_id in known], SCHEMA)
            for case in cases.cases
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return ("--schema", tmp_path / "schema.json", "--cases", tmp_path / "cases.jsonl")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    printed, said = capsys.readouterr()
    return code, printed, said


def test_the_command_runs_the_named_conditions(files, door, out, tmp_path, capsys) -> None:
    command = ("ablation", "short", *files, "--out", out, "--examples", tmp_path / "examples.jsonl")
    named = ("--condition", "rowwise", "--condition", "rowwise+both", "--most", 2)
    code, printed, _ = run(capsys, *command, *named)
    assert code == 0
    assert "rowwise+both" in printed
    assert str(out / "ablation.md") in printed
    assert len(door.filled) == 4
    code, printed, _ = run(capsys, *command, *named, "--resume", "--json")
    assert (code, json.loads(printed)["cases"]) == (0, 2)
    assert len(door.filled) == 4
    code, printed, _ = run(capsys, "retrieval", *files, "--out", tmp_path / "ranked")
    assert code == 0
    assert "names-only" in printed


def test_the_command_tells_mistakes_in_words(files, door, out, capsys) -> None:
    for conditions, more, says in (
        ("short", ("--condition", "rwo"), "There is no condition rwo"),
        ("long", ("--condition", "to-both"), "needs examples"),
        ("short", ("--most", 0), "--most cannot be 0"),
    ):
        code, printed, said = run(capsys, "ablation", conditions, *files, "--out", out, *more)
        assert (code, printed) == (2, "")
        assert says in said
    assert not out.exists()
    door.failing = [Cancelled()]
    code, _, said = run(capsys, "ablation", "short", *files, "--out", out, "--condition", "rowwise")
    assert code == 130
    assert "Continue with the same command and --resume" in said
