"""What a line that is not charted says of a row: its value and its time."""

from __future__ import annotations

from app.chart.cells import local_of
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import TIME_TYPES, Row
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment
from extraction.preparation.observation_times import MINUTE, moment_of, moments
from models.base.errors import InputError

_HAS_WORDS = "the transcript has the words of the line"


def value_said(sheet: Sheet, line: Segment, row: Row) -> Value | None:
    """The one value of a row that the words of a line say; None if they say none or several."""
    from extraction.filling.spoken_value import spoken_value  # takes a tenth of a second

    assert sheet.transcript, _HAS_WORDS
    try:
        return spoken_value(row, sheet.schema, sheet.transcript.text[line.start : line.end], sheet.day)
    except InputError:
        return None


def time_said(sheet: Sheet, line: Segment, row: Row) -> str | None:
    """The stated time of a value of the row that a line says, as `ReviewedValue.observed_at`; None if it is not stated
    beyond doubt, or the row records a time itself.
    """
    assert sheet.transcript, _HAS_WORDS
    if row.value_type in TIME_TYPES:
        return None
    said = moment_of(line.start, moments(sheet.sentences, local_of(sheet.dictation.created_at)))
    return f"{said.at:{MINUTE}}" if said and said.at and not said.finding else None
