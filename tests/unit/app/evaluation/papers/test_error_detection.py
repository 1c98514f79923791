"""How well wrong values are found: each figure on values made by hand, and the whole command on scripted models."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from app.adaptation.training import LEAST_CASES, gather
from app.evaluation.papers.__main__ import main
from app.evaluation.papers.error_detection import command as detection_command
from app.evaluation.papers.error_detection import methods as detection_methods
from app.evaluation.papers.error_detection import run as detection
from app.evaluation.papers.error_detection import sample_sizes
from app.evaluation.papers.error_detection.detectors import majority_vote
from app.evaluation.papers.error_detection.methods import (
    SCOPES,
    Method,
    at_equal_fpr,
    figures,
    lines,
    methods,
    separation,
    trade_off,
)
from app.evaluation.papers.error_detection.run import ALPHAS, KINDS
from app.evaluation.papers.error_detection.sample_sizes import Bare, calibration_sizes, training_sizes
from app.evaluation.papers.error_detection.values import (
    ReadCase,
    Unseen,
    WeighedValues,
    confidences,
    read_unseen,
    states_and_labels,
    weighed,
    without_states,
)
from app.system.settings import Settings
from extraction.annotation.case_files import read_cases
from extraction.annotation.scoring import all_items
from extraction.confidence.acceptance_features import FEATURES
from extraction.confidence.learned_models import Learned
from extraction.estimators.calibration import Sample
from extraction.estimators.conformal import wrong_needed
from extraction.learning.fit import CaseReadings, Fitted, fit_acceptance
from models.base.errors import InputError
from models.base.progress import NOT_MONITORED, never_cancelled
from models.errors import WorkerDied
from tests.kit.learned import BINDING
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

COUNT, CASES = 24, 8
LAYERS = 4


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    with quick_fits():
        yield


# figures by hand

# Eight values of four cases. Of ten items of the gold five were read right, one of them twice for its unit; two more
# (values 2 and 5) come in when they are corrected; three were never read. Values 3 and 7 are in no row of the gold.
WRONG = np.array([0, 0, 1, 1, 0, 1, 0, 1], dtype=bool)
PROPOSED = np.array([1, 1, 1, 1, 0, 0, 1, 0], dtype=bool)
LIT = np.array([0, 1, 1, 1, 0, 0, 0, 0], dtype=bool)
EVERY = np.ones(8, dtype=bool)


def by_hand() -> WeighedValues:
    errors = np.where(WRONG, 0.8, 0.2)[:, None] * np.ones((1, LAYERS))
    return WeighedValues(
        Sample(errors, WRONG, PROPOSED, np.array([0, 0, 1, 1, 2, 2, 3, 3])),
        confidence=np.array([0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.95, 0.2]),
        log_probability=np.log([0.9, 0.2, 0.7, 0.6, 0.4, 0.3, 0.95, 0.2]),
        found=np.array([1, 1, 0, 0, 1, 0, 2, 0]),
        corrected=np.array([1, 1, 1, 0, 1, 1, 2, 0]),
        reading=np.arange(8),
        gold=10,
    )


def test_figures_of_all_values_and_of_the_proposals() -> None:
    assert figures(by_hand(), LIT, EVERY) == {
        "flagged": 0.375,
        "fpr_pop": 0.25,
        "coverage": 0.5,
        "unlit_wrong": 0.4,
        "acc_pop_before": 0.5,
        "acc_pop": 0.6,  # value 2 was put right
        "acc_pop_extra": 0.5,  # value 7 stays, for which the gold has nothing
    }
    assert figures(by_hand(), LIT, PROPOSED) == {
        "flagged": 0.6,
        "fpr_pop": pytest.approx(1 / 3, abs=1e-6),
        "coverage": 1.0,
        "unlit_wrong": 0.0,
        "acc_pop_before": 0.4,
        "acc_pop": 0.5,
        "acc_pop_extra": 0.5,
    }


def test_a_share_of_nothing_differs_from_a_share_of_zero() -> None:
    nothing = figures(by_hand(), EVERY, ~EVERY)
    assert {nothing[name] for name in ("flagged", "fpr_pop", "coverage", "unlit_wrong")} == {None}
    assert nothing["acc_pop"] == nothing["acc_pop_before"] == 0.0


def test_the_most_suspicious_values_are_lit_first() -> None:
    suspicion = np.array([7.0, 0, 9, 0, 0, 5, 0, 0])  # 2, then 0, then 5, then all others together
    fpr, acc = trade_off(by_hand(), suspicion, EVERY)
    assert fpr.tolist() == [0, 0, 0.25, 0.25, 1]
    assert acc.tolist() == [0.5, 0.6, 0.6, 0.7, 0.7]
    fpr, acc = trade_off(by_hand(), suspicion, ~EVERY)
    assert (fpr.tolist(), acc.tolist()) == ([0], [0])


def test_methods_are_compared_at_equal_fpr() -> None:
    values = by_hand()
    perfect = Method("perfect", WRONG.astype(float), ())
    useless = Method("useless", np.zeros(8), (), weight=0.5)
    one, other = at_equal_fpr({scope: [perfect, useless] for scope in SCOPES}, values)
    assert one == {
        "method": "perfect",
        "weight": None,
        "filled": {"0.05": 0.7, "0.1": 0.7, "0.2": 0.7},
        "proposals": {"0.05": 0.5, "0.1": 0.5, "0.2": 0.5},
    }
    # All or nothing: on the way from 0.5 to 0.7, and of the proposals from 0.4 to 0.5.
    assert other["filled"] == {"0.05": 0.51, "0.1": 0.52, "0.2": 0.54}
    assert other["proposals"] == {"0.05": 0.405, "0.1": 0.41, "0.2": 0.42}


def test_separation_says_what_states_add() -> None:
    values = by_hand()
    found = separation(values, np.where(WRONG, 0.9, 0.1))
    assert found["roc_auc"] == {
        "layers": 1.0,
        "acceptance": pytest.approx(roc_auc_score(WRONG, -values.confidence), abs=1e-6),
        "acceptance_without_states": 0.0,
        "log_probability": pytest.approx(roc_auc_score(WRONG, -values.log_probability), abs=1e-6),
    }
    added = found["states_add"]
    assert added["difference"] == found["roc_auc"]["acceptance"]
    assert added["low"] <= added["difference"] <= added["high"] <= 1.0
    assert added["resamples"] == 2000
    same = separation(values, values.confidence)["states_add"]
    assert (same["difference"], same["low"], same["high"]) == (0.0, 0.0, 0.0)


@settings(max_examples=25)
@given(seed=st.integers(0, 1000))
def test_resampled_auc_is_that_of_the_values_that_were_drawn(seed: int) -> None:
    random = np.random.default_rng(seed)
    case, wrong = np.sort(random.integers(0, 7, 60)), random.random(60) < 0.4
    suspicion = random.integers(0, 6, 60).astype(float)  # with many equals
    resamples = detection_methods._Resamples(case)
    aucs = resamples.auc(suspicion, wrong)
    _, place = np.unique(case, return_inverse=True)
    for number in range(0, 2000, 400):
        drawn = resamples._weights[number][place]
        if drawn[wrong].sum() and drawn[~wrong].sum():
            assert aucs[number] == pytest.approx(roc_auc_score(wrong, suspicion, sample_weight=drawn))
        else:
            assert np.isnan(aucs[number])


# methods on values that are drawn


def drawn(random: np.random.Generator, cases: int, *, apart: float = 1.0, a_case: int = 12) -> WeighedValues:
    """Values of exchangeable cases, right and wrong ones `apart`; every right value is an item of the gold, and half
    of the wrong ones become one."""
    count = cases * a_case
    wrong = random.random(count) < 0.4
    shared = random.normal(np.where(wrong, apart, -apart), 1.0)
    errors = 1 / (1 + np.exp(-(shared[:, None] + random.normal(0, 0.6, (count, LAYERS)))))
    corrected = np.where(wrong, random.random(count) < 0.5, True).astype(int)
    return WeighedValues(
        Sample(errors, wrong, errors.mean(axis=1) < 0.6, np.repeat(np.arange(cases), a_case)),
        confidence=1 - errors.mean(axis=1),
        log_probability=-errors[:, 0],
        found=(~wrong).astype(int),
        corrected=corrected,
        reading=np.arange(count),
        gold=int(corrected.sum()) + 10,
    )


@pytest.fixture
def calibration() -> WeighedValues:
    return drawn(np.random.default_rng(1), 60)


@pytest.fixture
def values() -> WeighedValues:
    return drawn(np.random.default_rng(2), 40)


@pytest.mark.parametrize("scope", SCOPES)
def test_every_method_lights_the_most_suspicious_values(scope, calibration, values) -> None:
    found = methods(calibration, values, ALPHAS, (0.25, 0.5))[scope]
    names = [method.name for method in found]
    assert names == ["MV", "CF", "IndivConformal", "SCAPE", "SCAPE-Hyb", "SCAPE-Hyb", "acceptance", "log-probability"]
    assert [method.weight for method in found] == [None, None, None, None, 0.25, 0.5, None, None]
    assert [len(method.lights) for method in found] == [1, LAYERS // 2, *[len(ALPHAS)] * 6]
    for method in found:
        for choice, lit in method.lights:
            if lit.any() and not lit.all():
                assert method.suspicion[lit].min() > method.suspicion[~lit].max(), (method.name, choice)
    assert found[0].lights[0][1].tolist() == majority_vote(values.sample.errors).tolist()


def test_a_threshold_is_cut_on_the_wrong_values_of_the_calibration(calibration, values) -> None:
    sample = calibration.sample
    for scope, among in (("filled", sample.wrong), ("proposals", sample.wrong & sample.proposed)):
        found = methods(calibration, values, (0.2,), ())[scope]
        accepted = next(method for method in found if method.name == "acceptance")
        sure = np.sort(calibration.confidence[among])
        cut = sure[int(np.ceil(0.8 * (len(sure) + 1))) - 1]  # at least so many of the wrong ones are no surer
        assert accepted.lights[0][1].tolist() == (values.confidence <= cut + 1e-12).tolist()


def test_the_promise_is_kept_on_cases_like_those_of_the_calibration(calibration, values) -> None:
    found = lines(methods(calibration, values, (0.3, 0.1), (0.5,)), values)
    with_alpha = [line for line in found if line["alpha"] is not None]
    without = [line for line in found if line["alpha"] is None]
    assert {(line["method"], line["conflicts"]) for line in without} == {("MV", None), ("CF", 1), ("CF", 2)}
    assert {line[scope][name] for line in without for scope in SCOPES for name in ("kept", "enough")} == {None}
    for line in with_alpha:
        for scope in SCOPES:
            known = line[scope]
            assert known["enough"] is True
            if line["method"] != "IndivConformal":  # its vote promises nothing
                assert known["kept"] is True, line
            assert known["kept"] == (known["coverage"] >= 1 - line["alpha"] - 3 * known["standard_error"])
    fprs = [line["filled"]["fpr_pop"] for line in with_alpha if line["method"] == "SCAPE"]
    assert fprs == sorted(fprs)  # a smaller alpha lights more


def test_a_broken_promise_is_reported(calibration) -> None:
    """Cases of another kind: their wrong values look right."""
    others = drawn(np.random.default_rng(3), 60, apart=-1.0)
    found = lines(methods(calibration, others, (0.1,), (0.5,)), others)
    assert {line[scope]["kept"] for line in found if line["alpha"] for scope in SCOPES} == {False}


def test_too_few_wrong_values_differ_from_a_kept_promise(values) -> None:
    few = drawn(np.random.default_rng(4), 4)
    found = [line for line in lines(methods(few, values, (0.02,), ()), values) if line["method"] == "SCAPE"]
    assert few.sample.wrong.sum() < wrong_needed(0.02)
    for scope in SCOPES:
        assert (found[0][scope]["enough"], found[0][scope]["flagged"]) == (False, 1.0)


def test_a_calibration_of_one_kind_says_what_to_do(values) -> None:
    one_case = drawn(np.random.default_rng(5), 1)
    with pytest.raises(InputError, match="too few to calibrate") as caught:
        methods(one_case, values, (0.1,), ())
    assert "--examples" in caught.value.next_step


# smaller sizes


def test_smaller_calibrations_are_drawn_and_what_cannot_be_is_counted(calibration, values, monkeypatch) -> None:
    monkeypatch.setattr(sample_sizes, "CALIBRATION_SIZES", (4, 300, 10_000))
    found = calibration_sizes(calibration, values, (0.5,), 5)
    assert [(line["values"], line["method"], line["weight"]) for line in found] == [
        (size, *method) for size in (4, 300, 10_000) for method in (("SCAPE", None), ("SCAPE-Hyb", 0.5))
    ]
    for line in found:
        assert line["draws"] + line["left_out"] == 5
    few, many, too_many = found[0], found[2], found[4]
    assert few["left_out"] > 0  # of four values one half or the other often has one kind alone
    assert many["left_out"] == 0
    assert many["roc_auc"]["mean"] > 0.8
    assert many["roc_auc"]["sd"] >= 0
    top = int(values.corrected.sum()) / values.gold
    assert int(values.found.sum()) / values.gold < many["acc_pop"]["mean"] <= top
    assert (too_many["draws"], too_many["left_out"], too_many["acc_pop"]) == (0, 5, {"mean": None, "sd": None})


@dataclass
class _Known:
    """What a fitted acceptance is asked for."""

    sample: Sample
    confidence: NDArray[np.float64]


def bare(told: float) -> Bare:
    """Values of which the confidence knows nothing and the states know more or less."""
    random = np.random.default_rng(6)

    def states(one: WeighedValues) -> NDArray[np.float16]:
        found = random.normal(size=(len(one.found), 2, 8))
        found[:, :, 3] += told * ~one.sample.wrong[:, None]
        return found.astype(np.float16)

    examples, cases = drawn(random, 60), drawn(random, 30)
    ignorant = replace(cases, confidence=random.random(len(cases.found)))
    right = ~examples.sample.wrong
    known: Any = _Known(examples.sample, random.random(len(right)))
    return Bare(known, ignorant, ignorant.confidence, states(examples), {"row": right, "value": right}, states(cases))


def test_the_report_counts_the_values_that_trained_the_layers(monkeypatch) -> None:
    monkeypatch.setattr(sample_sizes, "TRAINING_SIZES", (1, 150, 10_000))
    found = training_sizes(bare(4.0), 3, never_cancelled)
    assert [line["method"] for line in found] == ["layers", "SCAPE", "SCAPE-Hyb"] * 3
    assert {line["left_out"] for line in found[:3] + found[6:]} == {3}  # one value is of one kind
    layers = found[3]
    assert (layers["values"], layers["draws"]) == (150, 3)
    assert layers["roc_auc"]["mean"] > 0.95
    assert found[5]["weight"] == 0.5
    assert found[5]["roc_auc"]["mean"] > 0.9
    nothing = training_sizes(bare(0.0), 3, never_cancelled)[3]
    assert 0.4 < nothing["roc_auc"]["mean"] < 0.6


# the whole command


@pytest.fixture(scope="module")
def ward() -> Ward:
    return Ward(COUNT + CASES)


@dataclass(frozen=True)
class Files:
    examples: Path
    cases: Path
    schema: Path


@pytest.fixture(scope="module")
def files(ward, tmp_path_factory) -> Files:
    folder = tmp_path_factory.mktemp("files")
    (folder / "schema.json").write_bytes(SCHEMA_BYTES)
    examples = write_lines(folder / "examples.jsonl", ward.lines[:COUNT])
    return Files(examples, write_lines(folder / "cases.jsonl", ward.lines[COUNT:]), folder / "schema.json")


@pytest.fixture
def worker(ward, monkeypatch) -> FakeWorker:
    found = FakeWorker(ward)
    monkeypatch.setattr(detection_command, "open_inference", lambda settings: inference_of(found, settings))
    monkeypatch.setattr(sample_sizes, "TRAINING_SIZES", (25, 5_000))
    monkeypatch.setattr(sample_sizes, "CALIBRATION_SIZES", (60,))
    return found


def command(files: Files, out: Path, *more: object) -> tuple[object, ...]:
    named = ("--schema", files.schema, "--examples", files.examples, "--cases", files.cases)
    return ("confidence", *named, "--out", out, "--seeds", 2, *more)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    printed, said = capsys.readouterr()
    return code, printed, said


def test_from_examples_and_cases_to_figures_and_report(worker, ward, files, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    code, printed, said = run(capsys, *command(files, out, "--json"))
    assert code == 0
    assert "among the examples" not in said
    measured = json.loads(printed)
    assert measured == json.loads((out / "confidence.json").read_text(encoding="utf-8"))
    assert worker.read == texts_of(ward.lines)
    plots = {"trade_off.png", "conflict_weight.png", "calibration_size.png", "training_size.png"}
    texts = {"confidence.json", "confidence.md", "confidently_wrong.jsonl"}
    assert {path.name for path in out.iterdir()} == plots | texts | {"work"}
    assert all((out / name).read_bytes().startswith(b"\x89PNG") for name in plots)
    gold = [
        all_items((it.row_id, it.value) for it in case.observations) for case in read_cases(files.cases, SCHEMA).cases
    ]
    assert (measured["cases"], measured["examples"], measured["gold"]) == (CASES, COUNT, sum(map(len, gold)))
    assert measured["values"]["wrong_proposals"] <= measured["values"]["wrong"] < measured["values"]["count"]
    aucs = measured["separation"]["roc_auc"]
    assert aucs["acceptance"] > 0.9 > aucs["log_probability"]
    assert len(measured["methods"]) == 2 + 7 * 8  # of two layers: MV, CF with one conflict; seven with each alpha
    run_facts = measured["run"]
    assert (run_facts["alphas"], run_facts["weights"], run_facts["seeds"]) == (list(ALPHAS), [0.25, 0.5, 0.75], 2)
    assert run_facts["examples_sha256"] != run_facts["cases_sha256"]
    assert [line["left_out"] for line in measured["training_sizes"][3:]] == [2, 2, 2]
    page = (out / "confidence.md").read_text(encoding="utf-8")
    assert f"| acceptance | {aucs['acceptance']:.3f} |" in page
    assert "| 5000 | SCAPE | – | – | 0 | 2 |" in page
    assert "| examples_file | examples.jsonl |" in page


def test_alphas_and_weights_can_be_chosen(worker, files, tmp_path, capsys) -> None:
    more = ("--alpha", 0.2, 0.1, 0.2, "--weight", 1)
    code, printed, _ = run(capsys, *command(files, tmp_path / "out", *more))
    assert code == 0
    assert "wrong values found by" in printed
    assert "ACC_pop at FPR 0.05" in printed
    assert str(tmp_path / "out" / "confidence.md") in printed
    found = json.loads((tmp_path / "out" / "confidence.json").read_text(encoding="utf-8"))["methods"]
    assert [line["alpha"] for line in found if line["method"] == "SCAPE"] == [0.2, 0.1]
    assert {line["weight"] for line in found} == {None, 1.0}


def test_ctrl_c_keeps_what_was_read_of_examples_and_cases(worker, files, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    worker.failing[COUNT + 3] = lambda: signal.raise_signal(signal.SIGINT)
    code, printed, said = run(capsys, *command(files, out))
    assert (code, printed) == (130, "")
    assert "What was read is kept. Continue with the same command." in said
    assert not (out / "confidence.json").exists()
    worker.read.clear()
    worker.failing.clear()
    assert run(capsys, *command(files, out))[0] == 0
    assert len(worker.read) == CASES - 2
    worker.read.clear()
    code, _, said = run(capsys, *command(files, out))
    assert code == 2
    assert f"{out} already holds a result" in said
    assert f"a copy of {out / 'work'}" in said
    assert worker.read == []


def test_after_the_process_died_it_says_how_to_resume(worker, files, tmp_path, capsys) -> None:
    died = raising(WorkerDied("The inference process ended.", "Try again.", retryable=True))
    worker.failing |= {2: died, 3: died}
    code, _, said = run(capsys, *command(files, tmp_path / "out"))
    assert code == 3
    assert "Continue with the same command." in said


def test_cases_that_are_also_examples_are_reported(worker, files, ward, tmp_path, capsys) -> None:
    same_id = json.loads(ward.lines[COUNT]) | {"id": json.loads(ward.lines[0])["id"]}
    cases = write_lines(tmp_path / "cases.jsonl", [ward.lines[1], json.dumps(same_id), ward.lines[COUNT + 1]])
    worker.failing[1] = lambda: signal.raise_signal(signal.SIGINT)
    _, _, said = run(capsys, *command(replace(files, cases=cases), tmp_path / "out"))
    assert "2 of the cases are among the examples too" in said


def test_mistakes_are_explained_with_a_next_step(worker, files, ward, tmp_path, capsys) -> None:
    few = replace(files, examples=write_lines(tmp_path / "few.jsonl", ward.lines[: LEAST_CASES - 1]))
    for named, more, says in (
        (files, ("--seeds", 0), ("--seeds cannot be 0", "at least 1")),
        (files, ("--alpha", 0.1, 0), ("--alpha cannot be 0", "above 0, at most 0.5")),
        (files, ("--alpha", 0.9), ("--alpha cannot be 0.9", "at most 0.5")),
        (files, ("--weight", 1.5), ("--weight cannot be 1.5", "at most 1")),
        (few, (), ("are too few to learn from", "Annotate at least 20 dictations")),
        (replace(files, cases=tmp_path / "none.jsonl"), (), ("There is no file", "Check the name")),
    ):
        code, printed, said = run(capsys, *command(named, tmp_path / "out", *more))
        assert (code, printed) == (2, "")
        for words in says:
            assert words in said
    assert worker.read == []
    assert not (tmp_path / "out").exists()


def test_cases_of_which_nothing_is_right(worker, files, ward, tmp_path, capsys) -> None:
    empty = [json.dumps(json.loads(line) | {"observations": []}) for line in ward.lines[COUNT:]]
    named = replace(files, cases=write_lines(tmp_path / "empty.jsonl", empty))
    code, _, said = run(capsys, *command(named, tmp_path / "out"))
    assert code == 2
    assert "values that were read of the cases are wrong: there is nothing to tell apart" in said
    assert "Name more cases with --cases" in said


# what is read and weighed


@dataclass(frozen=True)
class Read:
    """What `measure_confidence` knows before it measures, and each case's readings as the filler gave them."""

    fitted: Fitted
    cases: list[ReadCase]
    values: WeighedValues
    tasks: list[tuple[Any, Any, Any]]
    prior: Any


@pytest.fixture
def read(ward, files, tmp_path, monkeypatch) -> Read:
    from extraction.learning import fit

    usual: dict[str, Any] = {"monitor": NOT_MONITORED}
    inference, seen = inference_of(FakeWorker(ward), Settings()), []
    original = fit.case_readings

    def watched(task: Any, readings: Any, gold: Any) -> CaseReadings:
        seen.append((task, readings, gold))
        return original(task, readings, gold)

    monkeypatch.setattr(fit, "case_readings", watched)
    arguments: tuple[Any, ...] = (inference, Settings(), tmp_path / "work")
    found = gather(read_cases(files.examples, SCHEMA), SCHEMA, *arguments, **usual)
    unseen = read_unseen(read_cases(files.cases, SCHEMA), SCHEMA, found, *arguments, **usual)
    fitted = fit_acceptance(found.readings, found.folds, found.gold, for_any_schema=False)
    return Read(fitted, unseen.cases, weighed(fitted, unseen.cases, unseen.gold), seen[COUNT:], found.prior)


def test_cases_are_weighed_as_the_extraction_weighs_them(read) -> None:
    fitted = read.fitted
    learned = Learned(None, read.prior, fitted.acceptance, fitted.probes, fitted.layers, None, BINDING)
    confidence, errors = [], []
    for task, readings, _ in read.tasks:
        # the states of cases are kept in half precision and features to seven digits, and the least difference may lie
        # on both sides of a split
        kept = [
            replace(
                one, states={layer: state.astype(np.float16).astype(np.float32) for layer, state in one.states.items()}
            )
            for one in readings
        ]
        sure, wrong, _ = learned.weigh(task, kept)
        confidence.append(sure)
        errors.append(wrong)
    chosen = read.values.reading
    np.testing.assert_allclose(read.values.confidence, np.concatenate(confidence)[chosen], atol=0.03)
    np.testing.assert_allclose(read.values.sample.errors, np.concatenate(errors)[chosen], atol=0.03)


def test_gold_items_of_a_value_and_the_gain_of_correcting_it(read) -> None:
    values = read.values
    stated = [one for case in read.cases for one in case.stated]
    golds = [gold for _, _, gold in read.tasks]
    assert values.gold == sum(map(len, golds))
    assert values.corrected.sum() <= values.gold
    assert (values.found <= values.corrected).all()
    kinds = set()
    for place, reading in enumerate(values.reading):
        one, gold = stated[reading], golds[values.sample.case[place]]
        assert set(one.gold) == {text for row_id, text in gold if row_id == one.row_id}
        own = all_items([(one.row_id, one.value)])
        if one.row_id != "hr":  # kept in a unit that may not be the one that was said
            assert values.sample.wrong[place] == (not own & gold)
        if isinstance(one.value, tuple):
            assert values.corrected[place] == values.found[place] == len(own & gold)
        elif one.row_id == "hr":
            assert values.corrected[place] == (2 if one.gold else 0)  # the number and its unit
        else:
            assert values.corrected[place] == bool(one.gold)
            assert values.found[place] == len(own & gold)
        kinds.add((one.row_id, bool(one.gold), bool(values.sample.wrong[place])))
    assert {(True, True), (True, False), (False, True)} == {kind[1:] for kind in kinds}


def test_readings_belong_to_their_sentence(read) -> None:
    numbers = [one for case in read.cases for one in case.stated if one.row_id == "hr"]
    assert numbers
    for one in numbers:
        assert f"{one.value:g}" in one.sentence


def test_cases_that_nothing_was_read_of_change_nothing_but_the_numbers(read) -> None:
    none = np.zeros(0, dtype=np.int64)
    empty = np.zeros((0, len(FEATURES)))
    nobody = none.astype(bool)
    unread = ReadCase(
        CaseReadings(empty, none, none, none, none, none, nobody, np.zeros(0, np.float16), none, nobody, nobody), ()
    )
    cases = [unread, *read.cases]
    shifted = weighed(read.fitted, cases, read.values.gold)
    np.testing.assert_array_equal(shifted.sample.case, read.values.sample.case + 1)
    np.testing.assert_array_equal(shifted.confidence, read.values.confidence)
    for one, other in zip(
        states_and_labels([case.readings for case in cases], shifted.reading),
        states_and_labels([case.readings for case in read.cases], read.values.reading),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    every = confidences(read.fitted, [case.readings for case in cases])
    np.testing.assert_array_equal(every[shifted.reading], shifted.confidence)
    assert without_states(unread.readings).states.shape == (0, 0)
    with pytest.raises(InputError, match="Nothing was read of any of the cases") as caught:
        weighed(read.fitted, [unread], 3)
    assert "this schema" in caught.value.next_step


def test_unlit_wrong_values_are_listed_most_confident_first(read, files) -> None:
    cases, sample = read_cases(files.cases, SCHEMA), read.values.sample
    deceiving = sample.wrong & (
        np.arange(len(sample.wrong)) % 3 == 0
    )  # no layer finds anything, so that they stay dark
    errors = np.where(deceiving[:, None], 1e-6, sample.errors)
    sample = replace(sample, errors=errors, proposed=np.ones(len(sample.wrong), bool))
    values = replace(read.values, sample=sample)
    unseen, known = Unseen(read.cases, read.values.gold), read.fitted.sample
    fitted = replace(read.fitted, sample=replace(known, proposed=np.ones(len(known.wrong), bool)))
    dark = detection.confidently_wrong(fitted, values, unseen, cases, SCHEMA, Settings(alpha=0.5))
    lit = next(
        lit
        for method in methods(fitted, values, (0.5,), (0.5,))["proposals"]
        if method.weight == 0.5
        for _, lit in method.lights
    )
    assert len(dark) == int((values.sample.wrong & ~lit).sum()) > 0
    uncalibrated = detection.confidently_wrong(
        read.fitted, values, unseen, cases, SCHEMA, Settings(accept_threshold=0.5)
    )
    assert len(uncalibrated) == int((values.sample.wrong & (values.confidence >= 0.5)).sum())
    assert [one["confidence"] for one in dark] == sorted((one["confidence"] for one in dark), reverse=True)
    by_id = {case.id: case for case in cases.cases}
    for one in dark:
        gold = all_items((it.row_id, it.value) for it in by_id[one["case"]].observations)
        assert one["row"] == SCHEMA.row(one["row_id"]).name
        assert one["kind"] == KINDS[any(row_id == one["row_id"] for row_id, _ in gold)]
        assert {(one["row_id"], text) for text in one["gold"]} <= gold
        assert all(sentence in by_id[one["case"]].text for sentence in one["sentence"].split(". ")[:1])
