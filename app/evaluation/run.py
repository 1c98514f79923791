"""Evaluates the extraction on annotated cases: runs each through the pipeline, scores it and saves the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from app import pipeline
from app.evaluation.folder import CaseRun, EvaluationFolder, Read, circumstances_of, differing, json_bytes, load_json
from app.evaluation.not_shown import not_shown
from app.evaluation.report import report_files
from app.inference.interface import Stages
from app.inference.retry import retry_once
from app.lighting import lighting
from app.pipeline import PipelineResult
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases, Observation, case_line
from extraction.annotation.grading import Grader, graded_items, summary
from extraction.annotation.observed_times import gives_times, time_figures, timed_items
from extraction.annotation.scoring import Counts, Scored, all_items, f1_difference, items, metrics, signed_rank_p
from extraction.flowsheet.findings import reason_texts
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import EncounterContext
from models.base.errors import Cancelled, InputError, WardlightError
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if
from speech.transcript import Transcript

_TOKENS = ("prompt", "completion")
# Figures in which evaluations are compared, in addition to micro-F1, and the field of a case that holds each.
_PAIRED = {"case_f1": "f1", "seconds": "seconds", "prompt_tokens": "prompt_tokens"}


def evaluate(
    cases: Cases,
    schema: Schema,
    stages: Stages,
    settings: Settings,
    out: Path,
    *,
    repeat: int = 1,
    resume: bool = False,
    facts: dict[str, Any],
    monitor: ProgressMonitor,
) -> dict[str, Any]:
    """Runs every case `repeat` times and returns the content of `out`/metrics.json (see docs/evaluation.md).

    `facts` are further information for readers of the report, such as the machine. With `resume`, cases that an earlier
    evaluation finished under the same circumstances are not run again.

    Raises:
        InputError: `out` cannot be used, see `EvaluationFolder.begin`.
        WardlightError: a case failed; the message names its id, and finished cases are kept.
        Cancelled: finished cases are kept.
    """
    folder = EvaluationFolder(out)
    circumstances = circumstances_of(settings, schema, cases.sha256, stages.models)
    finished = {(run.repeat, run.id): run for run in folder.begin(circumstances, resume=resume)}
    order = [(number, case) for number in range(1, repeat + 1) for case in cases.cases]
    so_far = Counts()
    for place, (number, case) in enumerate(order):
        if (number, case.id) not in finished:
            stop_if(monitor.cancelled)
            monitor.report(Progress("eval", place / len(order), _message(place, len(order), so_far)))
            result = _run(case, schema, stages, monitor.cancelled)
            lights = lighting(settings, schema, result.models).lights(
                [(schema.row(value.row_id), value) for value in result.proposed], result.weighed_by
            )
            why = [reason_texts(one) for one in lights]
            run = CaseRun.of(case, number, result, why, not_shown(case, result, schema))
            folder.append(run)
            finished[number, case.id] = run
        so_far += _scored(case, finished[number, case.id]).counts
    monitor.report(Progress("eval", 1.0, f"{len(order)} cases, F1 {so_far.f1:.2f}"))
    repeats = [[finished[number, case.id] for case in cases.cases] for number in range(1, repeat + 1)]
    return _write(folder, cases, schema, repeats, {"run": circumstances, "facts": facts})


def compare(a: Path, b: Path) -> dict[str, Any]:
    """Compares two finished evaluations of the same cases, case by case: differences with their significance.

    Raises InputError if a folder holds no finished evaluation, or if the cases differ.
    """
    one, other = _measured(a), _measured(b)
    if one["run"]["cases_sha256"] != other["run"]["cases_sha256"]:
        raise InputError(f"{a} and {b} are evaluations of different cases.", "Compare evaluations of one cases file.")
    by_id = {case["id"]: case for case in other["per_case"]}
    pairs = [(case, by_id[case["id"]]) for case in one["per_case"]]
    difference, low, high = f1_difference(*([_counts_of(case) for case in side] for side in zip(*pairs, strict=True)))
    return {
        "a": str(a),
        "b": str(b),
        "cases": len(pairs),
        "micro_f1": {
            "a": one["micro"]["f1"],
            "b": other["micro"]["f1"],
            "difference": round(difference, 6),
            "low": round(low, 6),
            "high": round(high, 6),
        },
        **{name: _paired(pairs, field) for name, field in _PAIRED.items()},
        "differs": {name: list(values) for name, values in differing(one["run"], other["run"]).items()},
    }


def _paired(pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]], field: str) -> dict[str, float]:
    """Means over the cases, and the p value of the signed-rank test for a difference."""
    one, other = ([float(case[field]) for case in side] for side in zip(*pairs, strict=True))
    return {"a": round(fmean(one), 6), "b": round(fmean(other), 6), "p": signed_rank_p(one, other)}


def _measured(folder: Path) -> dict[str, Any]:
    path = folder / "metrics.json"
    if not path.exists():
        raise InputError(
            f"The folder {folder} holds no finished evaluation.", "Finish it with wardlight eval --resume."
        )
    return load_json(path)


def _counts_of(case: dict[str, Any]) -> Counts:
    return Counts(*(case[field.name] for field in fields(Counts)))


def _message(place: int, total: int, so_far: Counts) -> str:
    return f"case {place + 1} of {total}" + (f", F1 so far {so_far.f1:.2f}" if place else "")


def _run(case: Case, schema: Schema, stages: Stages, cancelled: CancelledCallback) -> PipelineResult:
    try:
        return run_text(case.id, case.text, schema, stages, cancelled, EncounterContext(case.dictated_at))
    except Cancelled:
        raise
    except WardlightError as error:
        next_step = f"{error.next_step} The finished cases are kept: continue with --resume."
        raise error.reworded(error.what, next_step) from error


def run_text(
    case_id: str,
    text: str,
    schema: Schema,
    stages: Stages,
    cancelled: CancelledCallback,
    context: EncounterContext,
) -> PipelineResult:
    """Reads the text of a case as the window reads a dictation; if the inference process dies, once more in a new one.

    Raises:
        WardlightError: the case failed; the message names its id.
    """

    def attempt() -> PipelineResult:
        return pipeline.run(
            Path(case_id),
            "text",
            schema,
            stages,
            context=context,
            transcript=Transcript(text),
            monitor=ProgressMonitor(cancelled=cancelled),
        )

    try:
        return retry_once(attempt)
    except Cancelled:
        raise
    except WardlightError as error:
        raise error.reworded(f"Case {case_id}: {error.what}", error.next_step) from error


def _scored(case: Case, run: CaseRun) -> Scored:
    return Scored(
        case_id=case.id,
        gold=all_items((it.row_id, it.value) for it in case.observations),
        predicted=all_items((it.row_id, it.value) for it in run.values),
        held_back=all_items((it.row_id, it.value) for it in run.held_back),
        asked=frozenset(run.candidates),
    )


def _write(
    folder: EvaluationFolder,
    cases: Cases,
    schema: Schema,
    repeats: Sequence[Sequence[CaseRun]],
    about: dict[str, Any],
) -> dict[str, Any]:
    """Writes predictions and report, then the metrics, which mark the evaluation as finished; returns the metrics."""
    runs = repeats[0]
    scored = [_scored(case, run) for case, run in zip(cases.cases, runs, strict=True)]
    measured = {
        **metrics(scored, schema),
        "seconds_per_case": _percentiles([_seconds(run) for run in runs]),
        "seconds_per_case_with_load": _percentiles([_seconds(run) + run.seconds["load"] for run in runs]),
        "tokens_per_case": {kind: round(fmean(run.tokens[kind] for run in runs), 1) for kind in _TOKENS},
        "lights": _lights(scored, runs),
        **_graded(cases, runs, schema),
        **_times(cases, runs, schema),
        "cases": len(runs),
        "repeats": _variation([_micro_f1(cases, again) for again in repeats]),
        "devices": {role: device for run in runs for role, device in run.devices.items()},
        "warnings": list(cases.warnings),
        "per_case": [_case_json(case, run) for case, run in zip(scored, runs, strict=True)],
        **about,
    }
    lines = [
        case_line(case.id, case.text, [Observation(one.row_id, one.value, one.time) for one in run.values], schema)
        for case, run in zip(cases.cases, runs, strict=True)
    ]
    folder.write("predictions.jsonl", "".join(f"{line}\n" for line in lines).encode())
    readings = [
        (read.confidence, item in case.gold)
        for case, run in zip(scored, runs, strict=True)
        for read in (*run.values, *run.held_back)
        for item in items(read.row_id, read.value)
    ]
    for name, data in report_files(measured, scored, readings, schema).items():
        folder.write(name, data)
    folder.write("metrics.json", json_bytes(measured))
    return measured


def _lights(scored: Sequence[Scored], runs: Sequence[CaseRun]) -> dict[str, Any]:
    """The lit share of the proposals, and of those that are wrong, as promised.

    Values written by rules are included, and are also counted separately.
    """
    shown = [(read, _is_right(read, case)) for case, run in zip(scored, runs, strict=True) for read in run.values]
    wrong = [read for read, right in shown if not right]
    by_rules = [(read, right) for read, right in shown if read.rule]
    return {
        "lit": round(sum(read.lit for read, _ in shown) / len(shown), 4) if shown else 0.0,
        "wrong": len(wrong),
        "caught": round(sum(read.lit for read in wrong) / len(wrong), 4) if wrong else 1.0,
        "by_rules": {
            "proposed": len(by_rules),
            "wrong": sum(not right for _, right in by_rules),
            "wrong_and_lit": sum(read.lit for read, right in by_rules if not right),
        },
    }


def _graded(cases: Cases, runs: Sequence[CaseRun], schema: Schema) -> dict[str, Any]:
    """`graded`: the figures of graded cases (`extraction.annotation.grading`), how many wrong items are unlit, and how
    many required ones are not shown at all (None if not known of every case).

    Empty if not all cases are graded.
    """
    if not all(case.is_graded for case in cases.cases):
        return {}
    grader = Grader(schema)
    grades = [
        grader.grade(case, [(read.row_id, read.value) for read in run.values])
        for case, run in zip(cases.cases, runs, strict=True)
    ]
    lit = [{item for read in run.values if read.lit for item in graded_items(read.row_id, read.value)} for run in runs]
    shown = list(zip(grades, lit, strict=True))
    lost = [run.not_shown for run in runs if run.not_shown is not None]
    return {
        "graded": summary(grades, schema)
        | {
            "lit": sum(map(len, lit)),
            "wrong_unlit": sum(item not in lit for grade, lit in shown for item in grade.wrong),
            "traps_hit_unlit": sum(item not in lit for grade, lit in shown for item, _ in grade.hit),
            "not_shown": sum(lost) if len(lost) == len(runs) else None,
        }
    }


def _times(cases: Cases, runs: Sequence[CaseRun], schema: Schema) -> dict[str, Any]:
    """`times`: how many times of observation are right, of the cases that give any; empty if none does."""
    grader = Grader(schema)
    timed = [
        timed_items(case, [(read.row_id, read.value, read.time) for read in run.values], grader)
        for case, run in zip(cases.cases, runs, strict=True)
        if gives_times(case)
    ]
    return {"times": time_figures(timed)} if timed else {}


def _is_right(read: Read, case: Scored) -> bool:
    return items(read.row_id, read.value) <= case.gold


def _micro_f1(cases: Cases, runs: Sequence[CaseRun]) -> float:
    return sum((_scored(case, run).counts for case, run in zip(cases.cases, runs, strict=True)), Counts()).f1


def _variation(f1s: Sequence[float]) -> dict[str, Any]:
    """Micro-F1 of each repeat; `variation` is its coefficient of variation, None for a single repeat."""
    mean = fmean(f1s)
    variation = round(stdev(f1s) / mean, 6) if len(f1s) > 1 and mean else None
    return {"count": len(f1s), "micro_f1": [round(f1, 6) for f1 in f1s], "mean": round(mean, 6), "variation": variation}


def _case_json(case: Scored, run: CaseRun) -> dict[str, Any]:
    took = {"seconds": _seconds(run), "prompt_tokens": run.tokens["prompt"]}
    return {"id": case.case_id, "f1": round(case.counts.f1, 6)} | asdict(case.counts) | took


def _seconds(run: CaseRun) -> float:
    """Wall time of the stages, without loading models."""
    return round(run.seconds["reduce"] + run.seconds["fill"], 3)


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    import numpy as np

    return {name: round(float(np.percentile(values, share)), 3) for name, share in (("p50", 50), ("p90", 90))}
