"""The command line: answers, exit codes, and what a user's mistake looks like. The models are scripted."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import resources
from app.cli import COMMANDS, main
from app.cli.charting.patients import ACTIONS
from app.cli.common import read_schema
from app.cli.measuring.bench import MEASURED
from app.cli.measuring.evaluate import OTHER_PROOFS
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.store import Store
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.filling.task import Task
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import NOT_MONITORED
from models.errors import WorkerDied
from models.library.added_models import gguf_entry, list_model
from speech.transcript import Transcript
from tests.kit.language import add_words, shipped_words_afterwards
from tests.kit.schema_files import dump_schema
from tests.kit.steps import NO_TIME, followed
from tests.kit.strangers import STRANGER
from tests.kit.tiny_filler import write_tiny_filler

TEXT = "Heart rate is 110. Nailbeds look pale."
SCHEMA = {
    "format": "wardlight-flowsheet/1",
    "id": "t",
    "name": "Test",
    "version": "1",
    "categories": [
        {
            "name": "Vitals",
            "rows": [
                {"id": "hr", "name": "Heart rate", "type": "numeric", "unit": "/min"},
                {"id": "nail", "name": "Nailbed color", "type": "single_select", "options": ["pale", "pink"]},
            ],
        }
    ],
}


def filled(row: str, value: Any, start: int, end: int, confidence: float) -> FilledValue:
    evidence = Evidence(start, end, TEXT[start:end], 0, len(TEXT))
    neighbour = Neighbour("row", row, 0)
    return FilledValue(row, value, None, evidence, -0.1, 0.1, confidence, 0.5, neighbour, "rowwise")


class FakeInference:
    """Two proposals for whatever it is given."""

    models = {"speech": "s", "filler": "f", "embedder": "e"}  # noqa: RUF012 - a fake with one instance
    device_note = ""

    def __init__(self, *_: object) -> None:
        self.dies = False

    def __enter__(self) -> FakeInference:
        return self

    def __exit__(self, *_: object) -> None: ...

    def transcribe(self, path: Path, hotwords: list[str], *_: object) -> Outcome[Transcript]:
        return Outcome(Transcript(TEXT, duration=4.0), devices={"speech": "cpu"}, seconds={"transcribe": 0.0})

    def read_file(self, source: Transcript, schema: Schema, context: EncounterContext, *_: object) -> Outcome[Followed]:
        return Outcome(followed(source, schema, context, self._proposals), 0.0, 100, 5, {"filler": "cpu"}, NO_TIME)

    def _proposals(self, _: Task) -> Proposals:
        if self.dies:
            raise WorkerDied("The inference process ended unexpectedly.", "Try again.", retryable=True)
        return Proposals((filled("hr", 110.0, 14, 17, 0.9), filled("nail", "pale", 33, 37, 0.8)), ())


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeInference:
    inference = FakeInference()
    monkeypatch.setattr("app.cli.charting.extract.open_inference", lambda _settings: inference)
    return inference


@pytest.fixture
def schema_file(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    return path


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    path = tmp_path / "case.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_extract_prints_values_with_evidence(fake, schema_file, text_file, capsys) -> None:
    code, out, _ = run(capsys, "extract", "--text", text_file, "--schema", schema_file, "--json")
    data = json.loads(out)
    assert code == 0
    assert {value["row_id"]: value["value"] for value in data["values"]} == {"hr": 110.0, "nail": "pale"}
    assert data["values"][0]["evidence"]["text"] == "110"
    assert data["tokens"] == {"prompt": 100, "completion": 5}
    assert set(data["seconds"]) == {"load", "reduce", "fill"}


def test_extract_as_a_table(fake, schema_file, text_file, capsys) -> None:
    code, out, _ = run(capsys, "extract", "--text", text_file, "--schema", schema_file)
    assert code == 0
    assert "Nailbed color" in out
    assert "110" in out


def test_extract_says_what_is_not_charted_on_purpose(fake, schema_file, tmp_path, capsys) -> None:
    text = tmp_path / "back.txt"
    text.write_text(f"{TEXT} Vitals WDL. Temperature is 38, scratch that.", encoding="utf-8")
    _, out, _ = run(capsys, "extract", "--text", text, "--schema", schema_file)
    assert "Said but not charted: Temperature is 38 (taken back)" in out
    _, out, _ = run(capsys, "extract", "--text", text, "--schema", schema_file, "--json")
    assert [aside["why"] for aside in json.loads(out)["set_aside"]] == [
        "no limits are defined for vitals",
        "taken back",
    ]


def test_run_keeps_the_dictation_and_nothing_is_exported_before_review(
    fake, schema_file, text_file, tmp_path, capsys, monkeypatch
) -> None:
    out = tmp_path / "out"
    code, _, _ = run(capsys, "run", text_file, "--schema", schema_file, "--out", out)
    assert code == 0
    assert json.loads((out / "proposals.json").read_text(encoding="utf-8"))["dictation"] == 1
    code, _, err = run(capsys, "export", "--out", out)
    assert code == 2
    assert "only confirmed values are exported" in err

    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))
    code, _, _ = run(capsys, "review", "--signed-by", "RN Adams")
    assert code == 0
    code, printed, _ = run(capsys, "export", "--out", out, "--json")
    assert code == 0
    exported = json.loads(Path(json.loads(printed)["files"][0]).read_text(encoding="utf-8"))["records"]
    assert [(record["row_id"], record["reviewer"]) for record in exported] == [
        ("nail", "RN Adams")
    ]  # the lit one first
    code, printed, _ = run(capsys, "export", "--out", out, "--format", "pdf", "--format", "xlsx")
    assert code == 0
    assert [Path(line).suffix for line in printed.split()] == [".pdf", ".xlsx"]


def test_review_edits_undoes_and_survives_nonsense(fake, schema_file, text_file, tmp_path, capsys, monkeypatch) -> None:
    run(capsys, "run", text_file, "--schema", schema_file, "--out", tmp_path / "out")
    monkeypatch.setattr("sys.stdin", io.StringIO("what\ne\nfast\ne\nPINK\nu\ne\nPINK\ny\n"))
    code, out, _ = run(capsys, "review", "--signed-by", "RN Adams")
    assert code == 0
    assert "cannot be a value of 'Nailbed color'" in out
    assert "look: heard “" in out
    with Store(paths.database_file()) as store:
        found = {value.row_id: (value.value, value.status.value) for value in store.values.of(1)}
    assert found == {"hr": (110.0, "confirmed"), "nail": ("pink", "edited")}


def test_review_shows_a_conflict_and_asks_which_value_the_chart_keeps(
    fake, schema_file, text_file, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-21T12:00:00.000+00:00")
    for answers in ("y\ne\n98\n", "y\ny\ne\n99\nr\n"):
        run(capsys, "run", text_file, "--schema", schema_file, "--out", tmp_path / "out")
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        code, out, _ = run(capsys, "review", "--signed-by", "RN Adams")
        assert code == 0
    assert "conflict: 98 is charted there already, decided by RN Adams" in out
    assert "r replaces it, n keeps it" in out
    with Store(paths.database_file()) as store:
        rates = [
            (value.value, value.stands)
            for number in (1, 2)
            for value in store.values.of(number)
            if value.row_id == "hr"
        ]
    assert rates == [(98.0, False), (110.0, True)]


def test_a_dictation_is_filed_when_it_is_reviewed_and_can_be_reopened(
    fake, schema_file, text_file, tmp_path, capsys, monkeypatch
) -> None:
    folder = tmp_path / "filed"
    run(capsys, "run", text_file, "--schema", schema_file, "--out", tmp_path / "out")
    assert run(capsys, "file")[0] == 2, "no folder is chosen"
    code, _, err = run(capsys, "file", "--out", folder)
    assert (code, folder.exists()) == (2, False)
    assert "2 values are not reviewed" in err
    assert "wardlight review 1" in err
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))
    run(capsys, "review", "--signed-by", "RN Adams")
    code, out, _ = run(capsys, "file", "--out", folder, "--signed-by", "RN Adams", "--json")
    told = json.loads(out)
    assert (code, told["dictation"], told["reviewer"]) == (0, 1, "RN Adams")
    assert sorted(map(str, folder.iterdir())) == sorted(told["files"])
    assert told["files"]
    code, _, err = run(capsys, "file", "--out", folder, "--signed-by", "RN Adams")
    assert (code, len(list(folder.iterdir()))) == (2, len(told["files"]))
    assert "is filed" in err
    with Store(paths.database_file()) as store:
        assert store.filings.filed() == {1}
    assert run(capsys, "reopen")[0] == 2, "nobody signs"
    assert run(capsys, "reopen", "--signed-by", "RN Adams")[0] == 0
    assert run(capsys, "reopen", "--signed-by", "RN Adams")[0] == 2, "it is not filed any more"
    with Store(paths.database_file()) as store:
        assert store.filings.filed() == frozenset()
    assert len(list(folder.iterdir())) == len(told["files"])


def test_a_failed_run_keeps_the_dictation_with_its_reason(fake, schema_file, text_file, tmp_path, capsys) -> None:
    fake.dies = True
    code, _, err = run(capsys, "run", text_file, "--schema", schema_file, "--out", tmp_path / "out")
    assert code == 3
    assert "ended unexpectedly" in err
    with Store(paths.database_file()) as store:
        kept = store.dictations.one(1)
        assert (kept.status, store.transcripts.of(1)) == ("failed", Transcript(TEXT))
    fake.dies = False
    code, _, _ = run(capsys, "run", "--retry", 1, "--out", tmp_path / "out")
    assert code == 0
    with Store(paths.database_file()) as store:
        assert store.dictations.one(1).status == "filled"
        assert len(store.values.of(1)) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("extract", "--text", "nowhere.txt"), 2, "There is no file nowhere.txt"),
        (("schema", "check", "nowhere.json"), 2, "nowhere.json"),
        (("models", "install", "gpt"), 2, "There is no model called 'gpt'"),
        (("models", "remove"), 2, "No model ID was given"),
        (("models", "add"), 2, "No source was given"),
        (("models", "add", "--from", "/nowhere"), 2, "There is no file or folder /nowhere"),
        (("review",), 2, "There is no dictation yet"),
        (("run", "--out", "out"), 2, "There is nothing to run."),
    ],
)
def test_mistakes_are_explained_in_words(fake, schema_file, capsys, arguments, code, says) -> None:
    if arguments[0] == "extract":
        arguments = (*arguments, "--schema", schema_file)
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert says in err
    assert "Traceback" not in err


def test_an_error_in_json(fake, schema_file, capsys) -> None:
    code, out, err = run(capsys, "extract", "--text", "nowhere.txt", "--schema", schema_file, "--json")
    assert code == 2
    assert json.loads(out)["error"] == "input"
    assert err == ""


def test_a_defect_is_reported_as_one(fake, schema_file, text_file, capsys, monkeypatch) -> None:
    def broken(*_: object) -> None:
        words = "pulse 88"
        raise ZeroDivisionError(f"of {words}")

    monkeypatch.setattr(FakeInference, "read_file", broken)
    code, _, err = run(capsys, "extract", "--text", text_file, "--schema", schema_file)
    assert code == 70
    assert "internal error (ZeroDivisionError)" in err
    report = next((paths.data_dir() / "logs").iterdir()).read_text(encoding="utf-8")
    assert "in broken" in report
    assert "of pulse 88" not in report + err


def test_schema_check_and_search(schema_file, capsys) -> None:
    code, out, _ = run(capsys, "schema", "check", schema_file, "--json")
    assert (code, json.loads(out)["rows"]) == (0, 2)
    code, out, _ = run(capsys, "schema", "search", schema_file, "--find", "NAIL", "--json")
    assert [row["id"] for row in json.loads(out)] == ["nail"]
    code, _, _ = run(capsys, "schema", "search", schema_file, "--find", "zebra")
    assert code == 1


def test_schema_check_says_what_rows_are_about(tmp_path, capsys) -> None:
    rows = (*STRANGER.rows, Row("chest.out", "Chest tube 1 site", ValueType.TEXT, ("LDA",)))
    rows += (Row("chest.rate", "Chest tube 1 output", ValueType.NUMERIC, ("LDA",)),)
    file = tmp_path / "stranger.json"
    file.write_bytes(dump_schema(replace(STRANGER, rows=rows)))
    code, out, _ = run(capsys, "schema", "check", file)
    assert code == 0
    assert out.splitlines()[3:] == [
        "What rows are about (24 of 37 rows: inferred from their names):",
        "  LDA PIV 1, 2: 4 rows each, told apart by Location (Anatomical), Orientation",
        "  Wound 1, 2: 4 rows each, told apart by Location",
        "  left or right: 7 rows",
        "  qualify the number of another row: 1 row",
        "  temperatures: 1 row",
        "  record a bedside concept, whose words are understood: 15 rows",
        "  unclear: Chest tube: too few rows (chest.out, chest.rate)",
        'Where this is wrong or missing, write "instance", "role", "laterality", "measured_with" or "concept" into the',
        'row, and null for none: docs/schema-format.md, "What a row is about".',
    ]
    _, out, _ = run(capsys, "schema", "check", file, "--rows")
    (line,) = (line for line in out.splitlines() if line.startswith("piv2.ori "))
    assert re.split(r"  +", line) == [
        "piv2.ori", "LDA PIV #2 - Orientation", "LDA PIV 2", "Orientation", "side", "instance, role",
    ]  # fmt: skip
    _, out, _ = run(capsys, "schema", "check", file, "--rows", "--json")
    meaning = json.loads(out)["meaning"]
    assert meaning["groups"][1] == {"name": "Wound", "instances": {"1": 4, "2": 4}, "told_apart_by": ["Location"]}
    assert meaning["unclaimed"] == [{"group": "Chest tube", "rows": ["chest.out", "chest.rate"], "why": "too few rows"}]
    edema, source = (row for row in meaning["rows"] if row["id"] in ("edema.l", "temp.src"))
    assert edema == {
        "id": "edema.l", "laterality": "left", "concept": "edema_grade", "inferred": ["concept", "laterality"]
    }  # fmt: skip
    assert source == {
        "id": "temp.src", "measured_with": ["temp"], "concept": "temp_source", "inferred": ["concept", "measured_with"]
    }  # fmt: skip


def test_schema_concepts_lists_the_concepts_with_the_words(capsys) -> None:
    code, out, _ = run(capsys, "schema", "concepts", "--find", "Sputum colour", "--json")
    (concept,) = json.loads(out)
    assert (code, concept["id"]) == (0, "sputum_color")
    assert "Green" in concept["options"]
    code, out, _ = run(capsys, "schema", "concepts", "--find", "zebra")
    assert (code, out.splitlines()[-1]) == (1, f"0 of {len(concepts())} concepts")


def test_schema_check_warns_of_units_that_are_no_ucum_code(schema_file, capsys, tmp_path) -> None:
    document = json.loads(Path(schema_file).read_text(encoding="utf-8"))
    pressure = {"id": "cvp", "name": "Central venous pressure", "type": "numeric", "unit": "mmHg"}
    document["categories"].append({"name": "Pressures", "rows": [pressure]})
    path = tmp_path / "units.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    warning = (
        'Row "cvp" (Central venous pressure): its unit "mmHg" is not a UCUM code. Give it the code "ucum" "mm[Hg]".'
    )
    code, out, err = run(capsys, "schema", "check", str(path))
    assert (code, err) == (0, f"Warning: {warning}\n")
    assert "valid, 3 rows" in out
    code, out, err = run(capsys, "schema", "check", str(path), "--json")
    assert (code, json.loads(out)["warnings"], err) == (0, [warning], "")


def test_models_list_knows_what_is_missing(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path))
    code, out, _ = run(capsys, "models", "list", "--json")
    found = json.loads(out)["models"]
    assert code == 0
    assert {model["role"] for model in found} == {"speech", "filler", "embedder"}
    assert {model["status"] for model in found} == {"missing"}


def test_an_added_model_that_answers_badly_is_removed_again(capsys, monkeypatch, tmp_path) -> None:
    root, stick = tmp_path / "models", tmp_path / "stick"
    monkeypatch.setenv("WARDLIGHT_MODELS", str(root))
    stick.mkdir()
    write_tiny_filler(stick / "tiny.gguf")  # its weights are random
    code, _, err = run(capsys, "models", "add", "--from", str(stick), "--title", "Tiny")
    assert code == 3
    assert "Tiny answered" in err
    assert not list(root.glob("**/*.gguf"))
    code, out, _ = run(capsys, "models", "list", "--json")
    assert [model["id"] for model in json.loads(out)["models"] if model["id"].startswith("tiny")] == []


def test_what_a_model_cannot_be_fitted_to_is_said_before_it_is_copied(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path / "models"))
    write_tiny_filler(tmp_path / "tiny.gguf")
    whisper, used = tmp_path / "whisper", tmp_path / "used"
    for folder in (whisper, used):
        folder.mkdir()
    cases = resources.FOLDER / "corpus" / "cases" / "medsurg_icu.h05.jsonl"
    (whisper / "model.bin").write_bytes(b"WhisperSpec")
    (tmp_path / "few.jsonl").write_text("\n".join(cases.read_text(encoding="utf-8").splitlines()[:8]), encoding="utf-8")
    (used / "learned.json").write_text("{}", encoding="utf-8")
    add = ("models", "add", "--from", str(tmp_path / "tiny.gguf"))
    for arguments, says in (
        ((*add, "--out", "new"), "Fitting a model needs annotated cases"),
        ((*add, "--examples", str(cases)), "and an output folder"),
        ((*add, "--examples", "nowhere.jsonl", "--out", "new"), "nowhere.jsonl"),
        ((*add, "--examples", str(tmp_path / "few.jsonl"), "--out", "new"), "8 cases with"),
        ((*add, "--examples", str(cases), "--out", str(used)), "already holds something learned"),
        (("models", "add", "--from", str(whisper), "--examples", str(cases), "--out", "new"), "A speech model"),
    ):
        code, _, err = run(capsys, *arguments)
        assert (code, says in err) == (2, True), err
    assert not (tmp_path / "models").exists()


def test_a_model_with_other_chat_markers_is_refused_before_it_is_copied(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path / "models"))
    write_tiny_filler(tmp_path / "tiny.gguf", markers=("<start_of_turn>", "<end_of_turn>"))
    code, _, err = run(capsys, "models", "add", "--from", str(tmp_path / "tiny.gguf"))
    assert code == 3
    assert "does not know the chat markers" in err
    assert not (tmp_path / "models").exists()


def test_an_added_model_in_the_settings_is_not_removed(capsys, monkeypatch, tmp_path) -> None:
    root = tmp_path / "models"
    monkeypatch.setenv("WARDLIGHT_MODELS", str(root))
    write_tiny_filler(tmp_path / "tiny.gguf")
    entry = gguf_entry(tmp_path / "tiny.gguf", "", "", 1024, NOT_MONITORED)
    list_model(root, entry)
    save_settings(replace(load_settings(paths.config_file()), filler_model=entry.id), paths.config_file())
    code, _, err = run(capsys, "models", "remove", entry.id)
    assert code == 2
    assert "is the model chosen in the settings" in err
    save_settings(replace(load_settings(paths.config_file()), filler_model=""), paths.config_file())
    code, out, _ = run(capsys, "models", "remove", entry.id)
    assert (code, out) == (0, f"{entry.id}: removed\n")


def test_a_stage_without_its_model_says_how_to_get_it(schema_file, text_file, capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path / "none"))
    code, _, err = run(capsys, "extract", "--text", text_file, "--schema", schema_file)
    assert code == 3
    assert "wardlight models install" in err


def test_help_needs_no_heavy_library() -> None:
    script = (
        "import sys\nfrom app.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('torch', 'numpy', 'PySide6', 'sqlite_utils') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "words",
    [
        *((one.name,) for one in COMMANDS),
        *(("patients", one.name) for one in ACTIONS),
        *(("eval", one.name) for one in OTHER_PROOFS),
        *(("bench", one.name) for one in MEASURED),
    ],
    ids=" ".join,
)
def test_every_command_explains_itself(words, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    out, err = capsys.readouterr()
    assert (ended.value.code, err) == (0, "")
    assert out.startswith(f"usage: wardlight {' '.join(words)} [-h] ")
    assert "--verbose" in out


@pytest.mark.parametrize(
    ("asked", "loaded"),
    [
        (("--help",), set()),
        (("gui", "--help"), {"gui"}),
        (("eval", "compare", "--help"), {"charting.extract", "measuring.evaluate", "measuring.learn"}),
    ],
)
def test_only_the_module_of_the_command_that_is_asked_for_is_loaded(asked, loaded) -> None:
    script = (
        f"import sys\nfrom app.cli import main\ntry:\n    main({asked})\nexcept SystemExit:\n    pass\n"
        "print([m for m in sys.modules if m.startswith('app.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found = {name.removeprefix("app.cli.") for name in ast.literal_eval(done.stdout.splitlines()[-1])}
    shared = {"arguments", "charting", "command", "common", "console", "measuring"}
    assert found - shared == loaded


def test_a_closed_pipe_is_no_error(schema_file) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "schema", "show", str(schema_file)], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.fixture
def words() -> Iterator[Path]:
    """The folder of the ward's words."""
    with shipped_words_afterwards():
        yield paths.language_dir()


def test_words_of_the_ward_are_in_force(fake, schema_file, tmp_path, words, capsys) -> None:
    text = tmp_path / "back.txt"
    text.write_text(f"{TEXT} Temperature is 38, never said that.", encoding="utf-8")
    assert "Temperature is 38" not in run(capsys, "extract", "--text", text, "--schema", schema_file)[1]
    add_words(words, "corrections", 'strike = ["never said that"]')
    out = run(capsys, "extract", "--text", text, "--schema", schema_file)[1]
    assert "Said but not charted: Temperature is 38 (taken back)" in out


def test_words_that_cannot_be_used_are_refused_before_anything_runs(schema_file, text_file, words, capsys) -> None:
    path = add_words(words, "corrections", 'strike = ["("]')
    code, out, err = run(capsys, "run", text_file, "--schema", schema_file, "--out", text_file.parent / "out")
    assert (code, out) == (2, "")
    assert f"{path}: strike: “(” is not a valid regular expression" in err
    assert not paths.database_file().exists()


def test_doctor_corrects_a_chart_that_does_not_match_its_reviews(schema_file, capsys, monkeypatch) -> None:
    for slow in ("_imports", "_libraries"):
        monkeypatch.setattr(f"app.cli.doctor.{slow}", list)

    def found() -> tuple[str, bool]:
        checks = json.loads(run(capsys, "doctor", "--json")[1])["checks"]
        (chart,) = [one for one in checks if one["what"] == "chart"]
        return chart["found"], chart["ok"]

    assert found() == ("no database yet", True)
    with Store(paths.database_file()) as store:
        said, (schema, content) = schema_file.with_name("said.txt"), read_schema(schema_file)
        said.write_text("Heart rate 110.", encoding="utf-8")
        encounter = store.encounters.open(store.patients.add("Ann Lee", "4").id).id
        number = store.dictations.add(encounter, said, "text", store.schemas.save(schema, content)).id
        store.reviews.add(number, schema.rows[0].id, 110.0, None, "Kim")
        words, ok = found()
        assert (words.startswith("not checked: Wardlight is already running"), ok) == (True, True)
    assert found() == ("matches the reviews", True)
    with closing(sqlite3.connect(paths.database_file())) as database:
        database.execute("DELETE FROM charted_values")
        database.commit()
    assert found() == ("entries that did not match the reviews: 1; corrected now", False)
    assert found() == ("matches the reviews", True)


def test_doctor_says_which_words_of_the_ward_are_in_use(words, capsys, monkeypatch) -> None:
    for slow in ("_imports", "_libraries"):
        monkeypatch.setattr(f"app.cli.doctor.{slow}", list)
    found = {one["what"]: one for one in json.loads(run(capsys, "doctor", "--json")[1])["checks"]}
    assert found["words of the ward"] == {"what": "words of the ward", "found": f"none in {words}", "ok": True}
    add_words(words, "negation", 'forward = ["zero signs of", "zero"]')
    path = add_words(words, "corrections", 'strike = ["("]')
    code, out, _ = run(capsys, "doctor", "--json")
    found = {one["what"]: one for one in json.loads(out)["checks"]}
    assert code == 3
    assert found["words of en/negation.toml"]["found"] == "2 added"
    assert not found["words of en/corrections.toml"]["ok"]
    assert f"{path}: strike: “(” is not a valid regular expression" in run(capsys, "doctor")[1]
