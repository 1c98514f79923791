"""A ward in a file, one dictation a line, as a store: its annotations or what the pipeline reads, confirmed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

from app import pipeline
from app.inference.interface import Stages
from app.record.errors import Conflict
from app.record.run import NAMES_NOBODY, NO_RUN
from app.record.values import Evidence
from app.store import Store
from extraction.annotation.case_files import Case, Observation, read_cases
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.validation import chart_unit, display
from extraction.language.sentences import segment
from models.base.errors import InputError
from models.base.progress import ProgressMonitor
from speech.transcript import Transcript

Values = Literal["gold", "read"]
REVIEWER = "Evaluation"


@dataclass(frozen=True, slots=True)
class WardLine:
    """A dictation with its patient; lines with the same name, bed and record number are about one patient."""

    patient: str
    bed: str
    mrn: str
    assessed_at: datetime
    case: Case


def read_ward(path: Path, schema: Schema, folder: Path) -> list[WardLine]:
    """The dictations of a file; `folder` takes a file of its cases. Raises InputError for a faulty line."""
    lines = list(json_lines(path))
    cases = folder / "cases.jsonl"
    written = (
        {"id": f"{number}", "transcript": one["text"], "observations": one["observations"]}
        for number, one in enumerate(lines)
    )
    try:
        cases.write_text("".join(json.dumps(one) + "\n" for one in written), encoding="utf-8")
        found = read_cases(cases, schema).cases
        return [
            WardLine(
                str(one["patient"]), str(one["bed"]), str(one["mrn"]), datetime.fromisoformat(one["assessed_at"]), case
            )
            for one, case in zip(lines, found, strict=True)
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no ward: {error}.", "See docs/evaluation.md for its form.") from error


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line. Raises InputError with the line that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", "Check the path.") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}.", "Each line is a JSON object.") from error
        if not isinstance(found, dict):
            raise InputError(f"{path}, line {number} is no JSON object.", "Each line is a JSON object.")
        yield found


def fill_store(
    store: Store,
    ward: Iterable[WardLine],
    schema: Schema,
    schema_bytes: bytes,
    folder: Path,
    inference: Stages | None,
    monitor: ProgressMonitor,
) -> int:
    """Makes patients, dictations and confirmed values of a ward; returns how many values could not be charted.

    Args:
        inference: reads the dictations; None to chart the annotations.
    """
    version = store.schemas.save(schema, schema_bytes)
    refused, stays = 0, dict[tuple[str, str, str], int]()
    for line in ward:
        source = folder / f"{line.case.id}.txt"
        source.write_text(line.case.text, encoding="utf-8")
        about = (line.patient, line.bed, line.mrn)
        if about not in stays:
            stays[about] = store.encounters.open(store.patients.add(*about, namesake=True).id).id
        dictation = store.dictations.add(stays[about], source, "text", version, line.assessed_at.astimezone()).id
        if inference is None:
            with store.transaction():
                refused += _chart_annotations(store, dictation, line, schema)
            continue
        result = pipeline.run(source, "text", schema, inference, monitor=monitor)
        store.transcripts.save(dictation, result.transcript)
        store.runs.save(dictation, result.proposed, replace(result.record, naming=NAMES_NOBODY))
        for value in store.values.of(dictation):
            try:
                store.reviews.decide(value.id, "confirm", REVIEWER)
            except Conflict:
                refused += 1
    return refused


def _chart_annotations(store: Store, dictation: int, line: WardLine, schema: Schema) -> int:
    """Charts the annotations of a case, with their words where these stand in it; returns how many conflict."""
    case = line.case
    store.transcripts.save(dictation, Transcript(case.text))
    store.runs.save(dictation, [], NO_RUN)
    refused, several = 0, Counter[tuple[str, str | None]]()
    for one in case.observations:
        row = schema.row(one.row_id)
        quote, at = _words(case.text, display(row, one.value)), _observed_at(one, line)
        before = several[row.id, at]
        several[row.id, at] += 1
        if before:  # values of one row and time stay in the order in which they are written
            minute = datetime.fromisoformat(at) if at else line.assessed_at
            at = (minute + timedelta(seconds=before)).isoformat(timespec="seconds")
        try:
            store.reviews.add(
                dictation,
                row.id,
                one.value,
                chart_unit(row),
                REVIEWER,
                quote=quote,
                observed_at=at,
            )
        except Conflict:
            refused += 1
    return refused


def _observed_at(one: Observation, line: WardLine) -> str | None:
    """The last such time of day before the assessment; None for the time of the assessment itself."""
    if not one.time:
        return None
    at = datetime.combine(line.assessed_at, time.fromisoformat(one.time))
    return (at if at <= line.assessed_at else at - timedelta(days=1)).isoformat(timespec="minutes")


def _words(text: str, value: str) -> Evidence | None:
    """Where a value stands in a text as it is shown; None if it does not."""
    found = re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\d)", text, re.IGNORECASE)
    if found is None:
        return None
    around = next((one for one in segment(text) if one.start <= found.start() < one.end), None)
    start, end = (around.start, around.end) if around else found.span()
    return Evidence(found.start(), found.end(), found.group(), start, end)
