"""Runs the conditions of an ablation, each as an evaluation, and compares the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from app.evaluation.folder import EvaluationFolder, circumstances_of, files_sha256, json_bytes
from app.evaluation.papers.ablation.conditions import CONDITIONS, Condition
from app.evaluation.papers.ablation.report import ablation_files
from app.evaluation.papers.ablation.tasks import Given, read_by
from app.evaluation.run import compare, evaluate
from app.inference.interface import InferenceClient
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases
from extraction.flowsheet.schema import Schema, file_sha256
from extraction.preparation.encounter_context import EncounterContext
from models.base.atomic_files import disk
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor
from models.process.messages import Channel
from speech.transcript import Transcript

_ROOM = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Ablation:
    """A list of conditions, the default number of cases, and the condition that the others are compared with."""

    conditions: tuple[str, ...]
    most: int
    baseline: str


ABLATIONS = {
    "short": Ablation(
        (
            "rowwise+names-only",
            "rowwise+row",
            "rowwise+both",
            "rowwise+oracle",
            "rowwise+pruned",
            "rowwise",
            "row",
            "oracle",
        ),
        most=3,
        baseline="rowwise+names-only",
    ),
    "long": Ablation(tuple(CONDITIONS), most=5, baseline="full-schema"),
}


@dataclass(frozen=True, slots=True)
class ConditionSettings(Settings):
    """Settings and the condition, so that both are part of the circumstances of its evaluation."""

    condition: str = ""


class ConditionStages:
    """Reads in the way of a condition, in the inference process; `cases` are those that it may be given."""

    def __init__(
        self,
        inference: InferenceClient,
        condition: Condition,
        settings: Settings,
        cases: Sequence[Case],
        examples: tuple[Case, ...],
    ) -> None:
        self.models = inference.models
        self._inference, self._condition, self._settings = inference, condition, settings
        self._cases, self._examples = cases, examples

    def transcribe(self, path: Path, hotwords: list[str], monitor: ProgressMonitor) -> Outcome[Transcript]:
        return self._inference.transcribe(path, hotwords, monitor)

    def read_file(
        self,
        source: Path | Transcript,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]:
        """Reads a transcript; the product does where the condition changes nothing."""
        if self._condition.reduction is None:
            return self._inference.read_file(source, schema, context, hotwords, channel, monitor)
        assert isinstance(source, Transcript), "conditions read texts"
        own = tuple(case for case in self._cases if case.text == source.text)
        return self._inference.call(
            "filler",
            read_by,
            monitor,
            condition=self._condition,
            given=Given(source.text, schema, context, own, self._examples),
            top_k=self._settings.top_k,
            learned=self._settings.learned_folder,
        )


def chosen_conditions(ablation: Ablation, names: Sequence[str], *, examples: bool) -> list[Condition]:
    """The named conditions in the order of CONDITIONS; without names, those of the ablation that can be run.

    Raises InputError if a name is unknown, or if a named condition needs examples and there are none.
    """
    for name in names:
        if name not in CONDITIONS:
            raise InputError(f"There is no condition {name}.", f"Choose from: {', '.join(CONDITIONS)}.")
        if CONDITIONS[name].needs_examples and not examples:
            raise InputError(f"The condition {name} needs examples.", "Name annotated cases with --examples FILE.")
    if names:
        return [condition for name, condition in CONDITIONS.items() if name in names]
    listed = [CONDITIONS[name] for name in ablation.conditions]
    return [condition for condition in listed if examples or not condition.needs_examples]


def first(cases: Cases, most: int) -> Cases:
    """The first `most` cases, with a hash that differs from that of all cases."""
    if most >= len(cases.cases):
        return cases
    return replace(cases, cases=cases.cases[:most], sha256=file_sha256(f"{cases.sha256} {most}".encode()))


def ablate(
    conditions: Sequence[Condition],
    baseline: str,
    cases: Cases,
    schema: Schema,
    inference: InferenceClient,
    settings: Settings,
    out: Path,
    *,
    examples: Cases | None,
    resume: bool = False,
    facts: dict[str, Any],
    monitor: ProgressMonitor,
) -> dict[str, Any]:
    """Evaluates every condition into `out`/<its name> and returns the content of `out`/ablation.json.

    `baseline` names the condition to compare with; if it is not among the conditions, the first one is used. With
    `resume`, conditions and cases that an earlier run finished are kept.

    Raises as `evaluate` does; InputError also if the folder was begun under other circumstances.
    """
    folder = EvaluationFolder(out)
    circumstances = circumstances_of(settings, schema, cases.sha256, inference.models)
    circumstances["examples_sha256"] = examples.sha256 if examples else None
    folder.begin(circumstances, resume=resume)
    measured = {}
    for place, condition in enumerate(conditions):

        def within(report: Progress, place: int = place) -> None:
            share = (place + (report.fraction or 0.0)) / len(conditions)
            monitor.report(Progress("eval", share, f"condition {place + 1} of {len(conditions)}, {report.message}"))

        measured[condition.name] = evaluate(
            cases,
            schema,
            ConditionStages(inference, condition, settings, cases.cases, examples.cases if examples else ()),
            _settings(settings, condition, circumstances["examples_sha256"]),
            out / condition.name,
            resume=resume,
            facts=facts | {"condition": condition.name},
            monitor=ProgressMonitor(within, monitor.cancelled),
        )
    against = baseline if baseline in measured else conditions[0].name
    table = {
        "baseline": against,
        "cases": len(cases.cases),
        "conditions": [_line(name, found, out, against) for name, found in measured.items()],
        "run": circumstances,
        "facts": facts,
    }
    for name, data in ablation_files(table).items():
        folder.write(name, data)
    folder.write("ablation.json", json_bytes(table))
    return table


def _settings(settings: Settings, condition: Condition, examples_sha256: str | None) -> ConditionSettings:
    """The settings of a condition's evaluation, with the examples and the code that it is read with."""
    read_with = {"examples_sha256": examples_sha256, "code_sha256": files_sha256(_ROOM, _ROOM.rglob("*"))}
    told = json.dumps(asdict(condition) | read_with, sort_keys=True)
    return ConditionSettings(**{one.name: getattr(settings, one.name) for one in fields(settings)}, condition=told)


def _line(name: str, found: dict[str, Any], out: Path, against: str) -> dict[str, Any]:
    """A condition's line of the table, with its differences from the baseline."""
    micro, tokens = found["micro"], found["tokens_per_case"]
    compared = compare(out / against, out / name)
    return {
        "condition": name,
        **{share: micro[share] for share in ("f1", "precision", "recall")},
        "rows_asked": round(_rows_asked(out / name), 1),
        "seconds_p50": found["seconds_per_case"]["p50"],
        "prompt_tokens": tokens["prompt"],
        "completion_tokens": tokens["completion"],
        "p": compared["case_f1"]["p"],
        **{part: compared["micro_f1"][part] for part in ("difference", "low", "high")},
    }


def _rows_asked(folder: Path) -> float:
    """Mean number of rows in the reduced schemas."""
    path = folder / "cases.jsonl"
    with disk(path):
        lines = path.read_text(encoding="utf-8").splitlines()
    return fmean(len(json.loads(line)["candidates"]) for line in lines)
