"""Counts what a person who reviews a dictation would not see of what has to be charted."""

from __future__ import annotations

from pathlib import Path

from app.chart.records import Dictation, Patient, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet, sentences_of
from app.pipeline import PipelineResult
from extraction.annotation.case_files import Case
from extraction.annotation.grading import Grader, graded_items
from extraction.flowsheet.schema import Schema
from extraction.language.spans import overlap


def not_shown(case: Case, result: PipelineResult, schema: Schema) -> int | None:
    """Number of required items whose rows have no proposal and that no list of the window shows.

    An item is in a list if its row has a possible mention, or if words that state it are listed as not charted.

    Returns None if the case is not graded, or does not tell the words of each required value.
    """
    if not case.is_graded or not all(one.words for one in case.observations):
        return None
    missed = set(Grader(schema).grade(case, [(one.row_id, one.value) for one in result.values]).missed)
    sheet = _sheet(result, schema)
    rows = {one.row_id for one in (*result.proposed, *sheet.maybe)}
    listed = [(one.start, one.end) for one in sheet.uncharted]
    lost = set()
    for one in case.observations:
        start = case.text.find(one.words)
        said = (start, start + len(one.words))
        is_listed = start >= 0 and any(overlap(said, other) for other in listed)
        if one.row_id not in rows and not is_listed:
            lost |= missed & set(graded_items(one.row_id, one.value))
    return len(lost)


def _sheet(result: PipelineResult, schema: Schema) -> Sheet:
    """The sheet of a run before anybody decided about a value."""
    return Sheet(
        dictation=Dictation(1, 1, "text", Path(), "", "", 1, "filled", "", ""),
        patient=Patient(1, "", "", ""),
        schema=schema,
        transcript=result.transcript,
        values=tuple(
            ReviewedValue(place, 1, one.row_id, one, one.value, one.unit, ReviewStatus.PROPOSED, "", "")
            for place, one in enumerate(result.proposed, 1)
        ),
        can_undo=False,
        run=result.record,
        sentences=sentences_of(result.transcript),
    )
