"""Runs the pipeline on short utterances, each hard in one way, and reports which are charted right."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.chart.computed_rows import doubted
from app.evaluation.folder import EvaluationFolder, circumstances_of, json_bytes
from app.evaluation.report import markdown
from app.evaluation.run import run_text
from app.inference.interface import Stages
from app.lighting import lighting
from app.pipeline import PipelineResult
from app.system.settings import Settings
from extraction.annotation.case_files import CASE_SAID_AT
from extraction.annotation.challenge_cases import PHENOMENA, GoldValue, JudgedUtterance, Utterance, Utterances, judge
from extraction.flowsheet.findings import texts
from extraction.flowsheet.formulas import compute
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.validation import display, normalise
from extraction.flowsheet.values import FilledValue, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.preparation.people.other_patients import Person
from extraction.rules.engine import RULES
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor, stop_if

_WORKED_OUT = "formula"  # the strategy of computed scores
_TAKEN = frozenset({"now", "instances", "patient"})


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A judged case, with its seconds (without loading models), the rows asked and the values held back."""

    judged: JudgedUtterance
    seconds: float
    asked: frozenset[str]
    held_back: tuple[FilledValue, ...]


def measure(
    utterances: Utterances,
    schema: Schema,
    stages: Stages,
    settings: Settings,
    out: Path,
    *,
    facts: dict[str, Any],
    monitor: ProgressMonitor,
) -> dict[str, Any]:
    """Runs every case, writes report.md and metrics.json into `out`, and returns the latter (see docs/evaluation.md).

    Raises:
        InputError: `out` is not empty, or a case has context that the pipeline does not use.
        WardlightError: a case failed; the message names its id.
        Cancelled: only the circumstances have been written.
    """
    for case in utterances.cases:
        _refuse_context(case)
    folder = EvaluationFolder(out)
    circumstances = circumstances_of(settings, schema, utterances.sha256, stages.models)
    folder.begin(circumstances, resume=False)
    done: list[JudgedCase] = []
    for place, case in enumerate(utterances.cases):
        stop_if(monitor.cancelled)
        right = sum(one.judged.right for one in done)
        message = f"{case.phenomenon}, case {place + 1} of {len(utterances.cases)}, {right} right so far"
        monitor.report(Progress("eval", place / len(utterances.cases), message))
        context = EncounterContext(_said_at(case), _known(case, schema), _person(case))
        result = run_text(case.id, case.text, schema, stages, monitor.cancelled, context)
        done.append(_charted(case, result, schema, settings))
    monitor.report(Progress("eval", 1.0, f"{len(done)} cases, {sum(one.judged.right for one in done)} right"))
    measured = {
        "phenomena": {
            name: _figures(ones)
            for name in PHENOMENA
            if (ones := [one for one in done if one.judged.case.phenomenon == name])
        },
        "all": _figures(done),
        "rules": _by_rule(done),
        "failures": [_failure_json(one) for one in done if not one.judged.right],
        "facts": facts,
        "run": circumstances,
    }
    folder.write("report.md", _page(measured, done, schema).encode())
    folder.write("metrics.json", json_bytes(measured))
    return measured


def figures(measured: dict[str, Any]) -> list[tuple[str, ...]]:
    """The figures of each phenomenon and of all cases, one line each, under HEADINGS."""
    return [
        (name, *(str(of[key]) for key in ("cases", "right")), f"{of['share']:.0%}", *(str(of[key]) for key in _COUNTED))
        for name, of in (*measured["phenomena"].items(), ("all", measured["all"]))
    ]


_COUNTED = ("gold", "missed", "wrong", "forbidden", "unlit", "extra")
HEADINGS = ("phenomenon", "cases", "right", "share", *_COUNTED)


def _refuse_context(case: Utterance) -> None:
    """Raises InputError for context that the pipeline would ignore, since the result would mean nothing."""
    if needed := sorted(set(case.context) - _TAKEN) or (["patients"] if case.patients else []):
        raise InputError(
            f"Case {case.id} has the context '{needed[0]}', which the pipeline does not use.",
            "Leave the phenomenon out, naming the others with --only.",
        )


def _said_at(case: Utterance) -> dt.datetime:
    """When a case was dictated, in local time. Raises InputError if its `now` is not a time."""
    if "now" not in case.context:
        return CASE_SAID_AT
    try:
        return dt.datetime.fromisoformat(case.context["now"]).astimezone()
    except (TypeError, ValueError) as error:
        raise InputError(
            f"Case {case.id}: 'now' in its context is not a time.", "Write it as 2026-03-04T14:30."
        ) from error


def _person(case: Utterance) -> Person:
    """The patient that a case is about."""
    given = case.context.get("patient", {})
    return Person(str(given.get("name", "")), str(given.get("bed", "")))


def _known(case: Utterance, schema: Schema) -> dict[str, Value]:
    """Confirmed values of a case's patient, by row id. Raises InputError for rows that the schema does not have."""
    given = case.context.get("instances", {})
    unknown = sorted(set(given) - schema.by_id.keys())
    if unknown:
        raise InputError(
            f"Case {case.id}: 'instances' in its context names unknown rows: {', '.join(unknown)}.",
            'Write them as {"piv1.site": "hand"}.',
        )
    return {row_id: normalise(schema.row(row_id), value)[0] for row_id, value in given.items()}


def _charted(case: Utterance, result: PipelineResult, schema: Schema, settings: Settings) -> JudgedCase:
    proposals = [(schema.row(value.row_id), value) for value in result.proposed]
    lights = lighting(settings, schema, result.models).lights(proposals, result.weighed_by)
    differing = doubted(result.values, schema)
    unsure = result.naming.doubtful  # nothing is accepted before a person has said whose values these are
    lit = [
        bool(unsure or light or one.findings or one in differing)
        for light, one in zip(lights, result.values, strict=True)
    ]
    scores = _scores(result.values, schema)
    asked = frozenset(candidate.row_id for candidate in result.candidates)
    return JudgedCase(
        judge(case, (*result.values, *scores), [*lit, *(False for _ in scores)]),
        round(result.seconds["reduce"] + result.seconds["fill"], 3),
        asked,
        result.held_back,
    )


def _scores(values: Sequence[FilledValue], schema: Schema) -> list[FilledValue]:
    """Computed scores as if they were proposed, except for rows that have a value of their own."""
    return [
        replace(score.parts[0], row_id=score.row.id, value=score.value, unit=score.row.unit, strategy=_WORKED_OUT)
        for score in compute(schema, values)
        if score.value is not None and not score.charted
    ]


def _figures(ones: Sequence[JudgedCase]) -> dict[str, Any]:
    right = sum(one.judged.right for one in ones)
    return {
        "cases": len(ones),
        "right": right,
        "share": round(right / len(ones), 4),
        "gold": sum(len(one.judged.case.gold) for one in ones),
        **{name: sum(len(getattr(one.judged, name)) for one in ones) for name in _COUNTED[1:]},
        "seconds": round(sum(one.seconds for one in ones), 1),
    }


def _by_rule(done: Sequence[JudgedCase]) -> dict[str, dict[str, int]]:
    """Numbers of right and wrong values by id of the rule that wrote them, `model` if none did.

    Values of rows that a case says nothing about are not counted.
    """
    counted = {name: {"right": 0, "wrong": 0} for name in ("model", *(rule.id for rule in RULES))}
    for one in done:
        judged = one.judged
        for how, values in (("right", judged.found), ("wrong", (*judged.wrong, *judged.forbidden))):
            for value in values:
                if value.strategy != _WORKED_OUT:
                    counted[value.rule or "model"][how] += 1
    return {name: counts for name, counts in counted.items() if any(counts.values())}


def _failure_json(one: JudgedCase) -> dict[str, Any]:
    judged = one.judged
    return {
        "id": judged.case.id,
        "phenomenon": judged.case.phenomenon,
        "text": judged.case.text,
        "missed": [{"row_id": gold.row_id, "value": gold.value, **gold.attributes} for gold in judged.missed],
        "unlit": [gold.row_id for gold in judged.unlit],
        "wrong": [value.to_json() for value in judged.wrong],
        "forbidden": [value.to_json() for value in judged.forbidden],
    }


def _page(measured: dict[str, Any], done: Sequence[JudgedCase], schema: Schema) -> str:
    failed = [one for one in done if not one.judged.right]
    explained = (
        "A case is right when all its values are charted as they must be, with their doubt where they need one, when "
        "its rows hold nothing else, and when no row is charted that must not be. "
        "*missed*, *wrong*, *forbidden* and *unlit* count the values that this fails on; *extra* are values of rows "
        "that the case says nothing about, which do not count."
    )
    rules = [(name, str(of["right"]), str(of["wrong"])) for name, of in measured["rules"].items()]
    written = markdown(("written by", "right", "wrong"), rules)
    parts = ["# Utterances", markdown(HEADINGS, figures(measured)), explained, written]
    for name in measured["phenomena"]:
        ones = [one for one in failed if one.judged.case.phenomenon == name]
        parts += [f"## {name.capitalize()}", *(_failure(one, schema) for one in ones)] if ones else []
    return "\n\n".join(parts if failed else [*parts, "Every case is right."]) + "\n"


def _failure(one: JudgedCase, schema: Schema) -> str:
    judged = one.judged
    lines = [f"**{judged.case.id}**: {' '.join(judged.case.text.split())}", ""]
    lines += [
        f"- missed: {_gold_words(gold, schema)} ({_why(one, gold, schema.row(gold.row_id))})" for gold in judged.missed
    ]
    lines += [f"- without the doubt that it needs: {_gold_words(gold, schema)}" for gold in judged.unlit]
    for name, values in (("wrong", judged.wrong), ("must not be charted", judged.forbidden), ("extra", judged.extra)):
        lines += [f"- {name}: {_words(value, schema)}" for value in values]
    return "\n".join(lines)


def _why(one: JudgedCase, gold: GoldValue, row: Row) -> str:
    """Why a value was missed: it was held back, not read, or its row was not asked."""
    held = [value for value in one.held_back if value.row_id == gold.row_id]
    if held:
        return f"read, but held back: {display(row, held[0].value)} at {held[0].confidence:.2f}"
    return "the row was asked" if gold.row_id in one.asked else "the row was not asked"


def _gold_words(gold: GoldValue, schema: Schema) -> str:
    row = schema.row(gold.row_id)
    when = "".join(f", {name} {said}" for name, said in gold.attributes.items())
    return f"{row.name} ({row.id}) = {display(row, gold.value)}{when}"


def _words(value: FilledValue, schema: Schema) -> str:
    row = schema.row(value.row_id)
    charted = " ".join(filter(None, (display(row, value.value), unit_words(value.unit))))
    found = f"; {'; '.join(texts(value.findings))}" if value.findings else ""
    return f'{row.name} ({row.id}) = {charted}, from "{value.evidence.text}" at {value.confidence:.2f}{found}'
