"""A ward in a file, one patient a line, as a store: its annotations or what the pipeline reads, confirmed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from app import pipeline
from app.inference.interface import Stages
from app.record.errors import Conflict
from app.record.run import NAMES_NOBODY, NO_RUN
from app.record.values import Evidence
from app.store import Store
from extraction.annotation.case_files import Case, read_cases
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
    """A patient of the file with one dictation."""

    patient: str
    bed: str
    mrn: str
    assessed_at: datetime
    case: Case


def read_ward(path: Path, schema: Schema, folder: Path) -> list[WardLine]:
    """The patients of a file. Raises InputError for a line that cannot be used. `folder` is for a file of its cases."""
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
    refused = 0
    for line in ward:
        source = folder / f"{line.case.id}.txt"
        source.write_text(line.case.text, encoding="utf-8")
        patient = store.patients.add(line.patient, line.bed, line.mrn, namesake=True)
        encounter = store.encounters.open(patient.id)
        made_at = line.assessed_at.astimezone()
        dictation = store.dictations.add(encounter.id, source, "text", version, made_at).id
        if inference is None:
            with store.transaction():
                refused += _chart_annotations(store, dictation, line.case, schema)
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


def _chart_annotations(store: Store, dictation: int, case: Case, schema: Schema) -> int:
    """Charts the annotations of a case, with their words where these stand in it; returns how many conflict."""
    store.transcripts.save(dictation, Transcript(case.text))
    store.runs.save(dictation, [], NO_RUN)
    refused = 0
    for one in case.observations:
        row = schema.row(one.row_id)
        quote = _words(case.text, display(row, one.value))
        try:
            store.reviews.add(dictation, row.id, one.value, chart_unit(row), REVIEWER, quote=quote)
        except Conflict:
            refused += 1
    return refused


def _words(text: str, value: str) -> Evidence | None:
    """Where a value stands in a text as it is shown; None if it does not."""
    found = re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\d)", text, re.IGNORECASE)
    if found is None:
        return None
    around = next((one for one in segment(text) if one.start <= found.start() < one.end), None)
    start, end = (around.start, around.end) if around else found.span()
    return Evidence(found.start(), found.end(), found.group(), start, end)
