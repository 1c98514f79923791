"""Learning from annotated cases, from the file to a folder that the extraction uses; the models are scripted."""

from __future__ import annotations

import datetime as dt
import json
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import pipeline
from app.adaptation.recalibration import todays_models
from app.adaptation.training import LEAST_CASES, as_on_ward, binding_of, learn
from app.cli import main
from app.lighting import lighting
from app.record.codec import decode_run, encode_run
from app.system.settings import Settings
from extraction.annotation.case_files import CASE_SAID_AT, Case, Cases, read_cases
from extraction.confidence import acceptance_features
from extraction.confidence.learned_models import Learned, load_learned
from extraction.extractor import prepare
from extraction.filling.proposals import rounded
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval import prior_features
from extraction.retrieval.candidates import ReducedSchema
from models.base.errors import Cancelled, InputError
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor
from models.errors import WorkerDied
from tests.kit.learning import (
    SCHEMA,
    SCHEMA_BYTES,
    FakeWorker,
    Ward,
    inference_of,
    quick_fits,
    raising,
    texts_of,
    write_lines,
)

COUNT = 24
DIED = WorkerDied("The inference process ended.", "Try again.", retryable=True)


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_fits():
        yield


@pytest.fixture(scope="module")
def ward() -> Ward:
    """The dictations to learn from, and some more."""
    return Ward(COUNT + 4, left_out=3)


@pytest.fixture
def examples(ward, tmp_path: Path) -> Path:
    return write_lines(tmp_path / "examples.jsonl", ward.lines[:COUNT])


@pytest.fixture
def cases(examples: Path) -> Cases:
    return read_cases(examples, SCHEMA)


@pytest.fixture
def worker(ward) -> FakeWorker:
    return FakeWorker(ward)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


def go(cases: Cases, worker: FakeWorker, work: Path, **changed: Any) -> Learned:
    settings = Settings()
    usual: dict[str, Any] = {"monitor": NOT_MONITORED}
    return learn(cases, SCHEMA, inference_of(worker, settings), settings, work, **(usual | changed))


def parts(learned: Learned) -> tuple[Any, ...]:
    """Everything that was learned, in a form in which equal bytes are equal."""
    probes = {name: (p.layers, p.directions.tobytes(), p.intercepts.tobytes()) for name, p in learned.probes.items()}
    book = (learned.book.exemplars, learned.book.vectors.tobytes()) if learned.book else None
    return learned.prior.to_json(), learned.acceptance.to_json(), probes, book, learned.rules, learned.about


def test_what_is_learned_and_how_well_it_does(cases, worker, work) -> None:
    heard: list[Progress] = []
    learned = go(cases, worker, work, monitor=ProgressMonitor(heard.append))
    assert worker.read == [case.text for case in cases.cases]
    assert learned.book is not None
    assert learned.book.case_ids == {case.id for case in cases.cases}
    assert (learned.prior.features, learned.acceptance.features) == (
        prior_features.FEATURES,
        acceptance_features.FEATURES,
    )
    assert {name: probe.layers for name, probe in learned.probes.items()} == dict.fromkeys(
        acceptance_features.PROBES, (8, 16)
    )
    assert (learned.about["cases"], learned.about["cases_sha256"]) == (COUNT, cases.sha256)
    assert learned.about["values"] == sum(
        len(it.value) if isinstance(it.value, tuple) else 1 for case in cases.cases for it in case.observations
    )
    held_out = learned.about["held_out"]
    assert held_out["f1"] > 0.85
    assert held_out["f1"] == pytest.approx(2 / (1 / held_out["precision"] + 1 / held_out["recall"]), abs=2e-4)
    assert held_out["recall"] <= held_out["recall_of_all_readings"] <= 1.0
    assert 0.8 < held_out["recall_of_rows"] <= 1.0
    assert 5 <= held_out["rows_asked_a_case"] <= len(SCHEMA.rows)
    assert held_out["roc_auc"] > 0.95 > held_out["roc_auc_of_log_probability"]  # the states know what the answers hide
    assert {report.stage for report in heard} >= {"learn"}
    assert all(report.fraction is None or 0 <= report.fraction <= 1 for report in heard)


def test_stopped_and_continued_it_asks_only_what_is_missing_and_learns_the_same(cases, worker, ward, work) -> None:
    whole = go(cases, FakeWorker(ward), work.with_name("whole"))
    with pytest.raises(Cancelled):
        go(cases, worker, work, monitor=ProgressMonitor(cancelled=lambda: len(worker.read) == 10))
    assert len(list(work.glob("*.npz"))) == 9  # the tenth was stopped before it was read to the end
    continued = FakeWorker(ward)
    assert parts(go(cases, continued, work)) == parts(whole)
    assert continued.read == [case.text for case in cases.cases[9:]]


def test_a_reading_that_was_cut_while_it_was_written_is_read_again(cases, worker, ward, work) -> None:
    whole = go(cases, worker, work)
    torn = sorted(work.iterdir())[3]
    torn.rename(torn.with_suffix(".partial")).write_bytes(b"torn")
    again = FakeWorker(ward)
    assert parts(go(cases, again, work)) == parts(whole)
    assert len(again.read) == 1


def test_a_damaged_reading_is_read_again(cases, worker, ward, work) -> None:
    whole = go(cases, worker, work)
    kept = sorted(work.iterdir())[3]
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)
    again = FakeWorker(ward)
    assert parts(go(cases, again, work)) == parts(whole)
    assert len(again.read) == 1


def test_a_value_that_was_corrected_in_between_counts(cases, worker, ward, work) -> None:
    go(cases, worker, work)
    changed = replace(cases, cases=tuple(_with_other_gait(case) for case in cases.cases))
    assert parts(go(changed, FakeWorker(ward), work)) == parts(go(changed, worker, work.with_name("anew")))


def _with_other_gait(case: Case) -> Case:
    corrected = (replace(it, value="unsteady") if it.row_id == "gait" else it for it in case.observations)
    return replace(case, observations=tuple(corrected))


def test_other_readings_are_asked_for_when_another_model_reads(cases, worker, ward, work) -> None:
    go(cases, worker, work)
    other = FakeWorker(ward)
    inference = inference_of(other, Settings(filler_model="larger"))
    learn(cases, SCHEMA, inference, Settings(), work, monitor=NOT_MONITORED)
    assert len(other.read) == COUNT


def test_a_case_whose_process_died_is_read_once_more(cases, worker, work) -> None:
    worker.failing[3] = raising(DIED)
    assert go(cases, worker, work).about["cases"] == COUNT
    texts = [case.text for case in cases.cases]
    assert worker.read == [*texts[:3], *texts[2:]]


def test_a_case_whose_process_dies_twice_ends_it_and_the_others_are_kept(cases, worker, ward, work) -> None:
    worker.failing |= {3: raising(DIED), 4: raising(DIED)}
    with pytest.raises(WorkerDied, match="The inference process ended"):
        go(cases, worker, work)
    again = FakeWorker(ward)
    go(cases, again, work)
    assert len(again.read) == COUNT - 2


def test_a_value_said_twice_in_a_long_dictation_counts_once(cases, worker, work) -> None:
    between = "She rested in bed and had nothing else to say at all today. " * 45  # more words than a window holds
    twice = tuple(replace(case, text=f"{case.text} {between} {case.text}") for case in cases.cases)
    held_out = go(replace(cases, cases=twice), worker, work).about["held_out"]
    assert held_out["recall_of_all_readings"] <= 1.0


def test_too_little_to_learn_from(cases, worker, work) -> None:
    few = replace(cases, cases=cases.cases[: LEAST_CASES - 1])
    with pytest.raises(InputError, match=f"{LEAST_CASES - 1} cases with .* values are too few") as caught:
        go(few, worker, work)
    assert f"at least {LEAST_CASES} dictations" in caught.value.next_step
    empty = replace(cases, cases=tuple(replace(case, observations=()) for case in cases.cases))
    with pytest.raises(InputError, match=f"{COUNT} cases with 0 values are too few"):
        go(empty, worker, work)
    assert worker.read == []
    assert not work.exists()


def test_an_immediate_stop_leaves_nothing(cases, worker, work) -> None:
    with pytest.raises(Cancelled):
        go(cases, worker, work, monitor=ProgressMonitor(cancelled=lambda: True))
    assert worker.read == []
    assert not work.exists()


# the command line


@pytest.fixture
def on_fakes(monkeypatch: pytest.MonkeyPatch, worker: FakeWorker) -> FakeWorker:
    for module in ("learn", "evaluate"):
        monkeypatch.setattr(
            f"app.cli.measuring.{module}.open_inference", lambda settings: inference_of(worker, settings)
        )
    return worker


@pytest.fixture
def schema_file(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_bytes(SCHEMA_BYTES)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def learn_command(examples: Path, out: Path, *more: object) -> tuple[object, ...]:
    return ("learn", "--examples", examples, "--schema", examples.parent / "schema.json", "--out", out, *more)


def eval_command(cases: Path, examples: Path, out: Path, *more: object) -> tuple[object, ...]:
    files = ("--cases", cases, "--examples", examples, "--schema", examples.parent / "schema.json")
    return ("eval", *files, "--out", out, *more)


def test_learn_writes_a_folder_that_the_extraction_takes(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    out = tmp_path / "learned"
    code, printed, _ = run(capsys, *learn_command(examples, out))
    assert code == 0
    assert f"Learned from {COUNT} cases" in printed
    assert "roc auc" in printed
    assert f"name the folder {out} as `learned`" in printed
    models = {"prior.json", "confidence.json", "probes.npz", "layers.npy", "calibration.npz"}
    files = models | {"learned.json", "exemplars.jsonl", "exemplars.npy"}
    assert {path.name for path in out.iterdir()} == files
    learned = load_learned(out, binding_of(inference_of(on_fakes, Settings()), Settings()), SCHEMA)
    assert learned.about["held_out"]["f1"] > 0.85


def test_kept_answers_are_not_asked_for_again(on_fakes, examples, schema_file, tmp_path, capsys, monkeypatch) -> None:
    answers = tmp_path / "answers"
    assert run(capsys, *learn_command(examples, tmp_path / "one", "--answers", answers))[0] == 0
    assert len(list(answers.glob("*.npz"))) == len(on_fakes.read) == COUNT
    monkeypatch.setattr(on_fakes.llm, "decode", raising(AssertionError("it was asked again")))
    monkeypatch.setattr("extraction.learning.fit.ASK_FROM", 0.2)  # other models, of which the answers know nothing
    assert run(capsys, *learn_command(examples, tmp_path / "two", "--answers", answers))[0] == 0
    one, two = (json.loads((tmp_path / name / "learned.json").read_text("utf-8")) for name in ("one", "two"))
    assert one["bound_to"] == two["bound_to"]


def test_a_run_signs_what_its_values_were_weighed_by_as_calibrate_looks_for_it(
    on_fakes, examples, schema_file, ward, tmp_path, capsys, monkeypatch
) -> None:
    """The whole way, with what was learned of a tapped model: from the text to what is stored and to the window."""
    monkeypatch.setenv("WARDLIGHT_DATA", str(tmp_path / "data"))
    folder = tmp_path / "learned"
    assert run(capsys, *learn_command(examples, folder))[0] == 0
    settings, (text,) = Settings(learned=str(folder)), texts_of(ward.lines[COUNT : COUNT + 1])
    source = tmp_path / "dictation.txt"
    source.write_text(text, encoding="utf-8")
    inference = inference_of(on_fakes, settings)
    usual: dict[str, Any] = {"monitor": NOT_MONITORED}
    result = pipeline.run(source, "text", SCHEMA, inference, context=EncounterContext(CASE_SAID_AT), **usual)
    chosen, kept = (
        lighting(settings, SCHEMA, inference.models),
        decode_run(encode_run(result.record)),
    )
    assert kept.weighed_by == chosen.weighed_by
    assert kept.features_signature == chosen.features_signature
    assert chosen.can_weigh_again(kept.features_signature)
    assert not chosen.can_weigh_again("")
    models = todays_models(settings, SCHEMA, inference.models)
    values = [*result.values, *result.held_back]
    again = dict(zip(values, models.reweigh([one.features for one in values]), strict=True))
    weighed = [one for one in values if one.errors and not one.is_unit]
    assert len(weighed) >= 4
    for value in weighed:
        weight = again[value]
        assert weight is not None
        assert (weight[0], rounded(weight[1])) == (value.confidence, value.errors)
    assert all(again[one] is None for one in values if one not in weighed)


def check_command(learned: Path, schema: Path, *more: object) -> tuple[object, ...]:
    return ("learn", "--check", learned, "--schema", schema, *more)


def test_learn_check_says_whether_a_folder_can_still_be_used(
    on_fakes, examples, schema_file, tmp_path, capsys, monkeypatch
) -> None:
    learned, answers = tmp_path / "learned", tmp_path / "answers"
    assert run(capsys, *learn_command(examples, learned, "--answers", answers))[0] == 0
    monkeypatch.setattr(on_fakes, "run", raising(AssertionError("something was read")))
    content = {path: path.read_bytes() for path in (*learned.iterdir(), *answers.iterdir())}
    code, printed, _ = run(capsys, *check_command(learned, schema_file))
    rows = f"{len(SCHEMA.rows)} of {len(SCHEMA.rows)} rows of the schema have not changed since."
    assert (code, printed) == (0, f"What was learned in {learned} can be used. {rows}\n")
    next(answers.iterdir()).unlink()
    more = ("--examples", examples, "--answers", answers)
    code, printed, _ = run(capsys, *check_command(learned, schema_file, *more))
    assert code == 0
    assert f"The language model's answers are kept for {COUNT - 1} of {COUNT} cases." in printed
    assert all(path.read_bytes() == data for path, data in content.items() if path.exists())
    code, printed, _ = run(capsys, *check_command(learned, schema_file, "--top-k", 3))
    assert code == 0
    assert "nothing is promised of values read with these models" in printed


def test_learn_check_says_all_that_is_different(on_fakes, examples, schema_file, tmp_path, capsys, monkeypatch) -> None:
    learned, answers = tmp_path / "learned", tmp_path / "answers"
    assert run(capsys, *learn_command(examples, learned, "--answers", answers))[0] == 0
    monkeypatch.setattr("extraction.confidence.binding.FEATURE_VERSION", 99)
    monkeypatch.setattr(
        "extraction.confidence.binding._model_sha256", lambda model: "another" if "embedder" in model else ""
    )
    code, printed, _ = run(capsys, *check_command(learned, schema_file))
    assert (code, printed.splitlines()) == (
        1,
        [
            f"What was learned in {learned} cannot be used. It belongs to",
            "  another release of the embedder",
            "  another version of Wardlight, which weighed values differently",
        ],
    )
    more = ("--examples", examples, "--answers", answers, "--json")
    code, printed, _ = run(capsys, *check_command(learned, schema_file, *more))
    assert code == 1
    assert json.loads(printed) == {
        "usable": False,
        "differs": [
            "another release of the embedder",
            "another version of Wardlight, which weighed values differently",
        ],
        "rows": len(SCHEMA.rows),
        "rows_as_they_were": len(SCHEMA.rows),
        "promised": False,
        "cases": COUNT,
        "cases_answered": COUNT,
    }, "what was read is read so still"
    monkeypatch.setattr("extraction.confidence.binding.READING_VERSION", 99)
    code, printed, _ = run(capsys, *check_command(learned, schema_file, *more))
    assert json.loads(printed)["cases_answered"] == 0


def test_learn_check_names_what_is_damaged_or_missing(on_fakes, schema_file, tmp_path, capsys) -> None:
    code, _, said = run(capsys, *check_command(tmp_path, schema_file))
    assert code == 2
    assert "holds nothing learned" in said


def test_learn_asks_what_to_learn_from(on_fakes, schema_file, tmp_path, capsys) -> None:
    code, _, said = run(capsys, "learn", "--schema", schema_file, "--out", tmp_path / "learned")
    assert code == 2
    assert "wardlight learn --examples FILE --out DIR" in said


def test_learn_for_machines(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    code, printed, _ = run(capsys, *learn_command(examples, tmp_path / "learned", "--json"))
    facts = json.loads(printed)
    assert (code, facts["cases"]) == (0, COUNT)
    assert facts["bound_to"]["filler"] == "test-filler"
    assert facts["schema"]["sha256"] == SCHEMA.sha256
    assert facts["schema"]["rows"].keys() == SCHEMA.by_id.keys()


def test_learn_leaves_a_used_folder_alone(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    (tmp_path / "learned.json").write_text("{}", encoding="utf-8")
    code, printed, said = run(capsys, *learn_command(examples, tmp_path))
    assert (code, printed) == (2, "")
    assert f"{tmp_path} already holds something learned" in said
    assert on_fakes.read == []
    assert (tmp_path / "learned.json").read_text(encoding="utf-8") == "{}"


def test_learn_names_the_line_that_is_no_case(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    lines = examples.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"transcript"', '"text"')
    examples.write_text("\n".join(lines), encoding="utf-8")
    code, printed, said = run(capsys, *learn_command(examples, tmp_path / "learned"))
    assert (code, printed) == (2, "")
    assert 'examples.jsonl, line 3: the field "transcript" is missing' in said
    assert not (tmp_path / "learned").exists()


def test_ctrl_c_keeps_readings_and_says_how_to_resume(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    on_fakes.failing[6] = lambda: signal.raise_signal(signal.SIGINT)
    command = learn_command(examples, tmp_path / "learned")
    code, printed, said = run(capsys, *command)
    assert (code, printed) == (130, "")
    assert "What was read is kept. Continue with the same command." in said
    on_fakes.read.clear()
    on_fakes.failing.clear()
    code, _, _ = run(capsys, *command)
    assert code == 0
    assert len(on_fakes.read) == COUNT - 5


def test_a_full_disk_at_the_end_costs_no_reading(
    on_fakes, examples, schema_file, tmp_path, capsys, monkeypatch
) -> None:
    command = learn_command(examples, tmp_path / "learned")
    with monkeypatch.context() as full:
        full.setattr(
            "app.cli.measuring.learn.save_learned", lambda *_: raising(OSError(28, "No space left on device"))()
        )
        code, _, said = run(capsys, *command)
    assert code == 3
    assert "No space left on device" in said
    on_fakes.read.clear()
    assert run(capsys, *command)[0] == 0
    assert on_fakes.read == []


def test_after_the_process_died_it_says_how_to_resume(on_fakes, examples, schema_file, tmp_path, capsys) -> None:
    on_fakes.failing |= {3: raising(DIED), 4: raising(DIED)}
    code, _, said = run(capsys, *learn_command(examples, tmp_path / "learned"))
    assert code == 3
    assert "What was read is kept. Continue with the same command." in said


def test_eval_learns_from_its_examples_first(on_fakes, examples, schema_file, ward, tmp_path, capsys) -> None:
    cases_file, out = write_lines(tmp_path / "cases.jsonl", ward.lines[COUNT:]), tmp_path / "out"
    code, printed, said = run(capsys, *eval_command(cases_file, examples, out, "--json"))
    assert code == 0
    assert json.loads(printed)["micro"]["f1"] > 0.7
    assert (out / "learned" / "learned.json").exists()
    assert on_fakes.read == texts_of(ward.lines[:COUNT])
    assert "among the examples" not in said
    on_fakes.read.clear()
    code, again, _ = run(capsys, *eval_command(cases_file, examples, out, "--resume", "--json"))
    assert (code, json.loads(again)["micro"]) == (0, json.loads(printed)["micro"])
    assert on_fakes.read == []  # what was learned is taken up again


def test_eval_tells_that_cases_are_among_the_examples(on_fakes, examples, schema_file, ward, tmp_path, capsys) -> None:
    cases_file = write_lines(tmp_path / "cases.jsonl", ward.lines[COUNT - 2 : COUNT + 1])
    on_fakes.failing[1] = raising(Cancelled())
    _, _, said = run(capsys, *eval_command(cases_file, examples, tmp_path / "out"))
    assert "2 of the cases are among the examples too" in said


def test_eval_refuses_what_was_learned_from_other_examples(
    on_fakes, examples, schema_file, ward, tmp_path, capsys
) -> None:
    learned, out = tmp_path / "learned", tmp_path / "out"
    run(capsys, *learn_command(examples, learned))
    others = write_lines(tmp_path / "others.jsonl", Ward(COUNT, seed=1).lines)
    cases_file = write_lines(tmp_path / "cases.jsonl", ward.lines[COUNT:])
    code, printed, said = run(capsys, *eval_command(cases_file, others, out, "--learned", learned))
    assert (code, printed) == (2, "")
    assert f"{learned} were not learned from {others}" in said
    assert not out.exists()
    code, _, said = run(capsys, *eval_command(cases_file, others, out, "--learned", tmp_path))
    assert code == 2
    assert "holds nothing learned" in said


def test_eval_takes_up_again_only_what_was_learned_from_its_examples(
    on_fakes, examples, schema_file, ward, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    run(capsys, *learn_command(examples, out / "learned"))
    others = write_lines(tmp_path / "others.jsonl", Ward(COUNT, seed=1).lines)
    cases_file = write_lines(tmp_path / "cases.jsonl", ward.lines[COUNT:])
    code, _, said = run(capsys, *eval_command(cases_file, others, out))
    assert code == 2
    assert f"were not learned from {others}" in said


def test_eval_refuses_a_used_folder_before_it_learns(on_fakes, examples, schema_file, ward, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    cases_file = write_lines(tmp_path / "cases.jsonl", ward.lines[COUNT:])
    code, _, said = run(capsys, *eval_command(cases_file, examples, out))
    assert code == 2
    assert "is not empty" in said
    assert on_fakes.read == []


def test_what_is_learned_of_is_read_as_the_ward_reads_it() -> None:
    """What a speaker took back is not read, and a row that the words name is asked whatever its prior."""
    case = Case("a", "Heart rate is 110, correction, 120.", ())
    asked: list[tuple[Segment, ...]] = []

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        asked.append(segments)
        return ReducedSchema(())

    task = as_on_ward(case, SCHEMA, reduced).task
    ward = prepare(
        case.text, SCHEMA, reduce=reduced, context=EncounterContext(dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC))
    ).task
    assert "110" not in task.text
    assert (task.text, task.segments, task.moments, task.plan) == (ward.text, ward.segments, ward.moments, ward.plan)
    assert asked[0] == asked[1] == task.segments
