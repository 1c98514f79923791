"""A value that is said to one row: the real Whisper hears sentences that were cut out of a dictation."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from app.inference.client import Inference
from app.pipeline import transcribe
from extraction.filling.spoken_value import spoken_value
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.language.sentences import segment
from models.base.progress import NOT_MONITORED
from speech.audio import SAMPLE_RATE, decode
from speech.transcript import Transcript
from tests.kit.audio import write_audio

pytestmark = [pytest.mark.models, pytest.mark.extensive]
FOLDER = Path(__file__).parent.parent / "data" / "dictations"
DRAINS, ADMISSION = "drains.ogg", "admission.ogg"
AROUND = 0.15  # seconds that a key is held before and after


@pytest.fixture(scope="module")
def dictations(models: Inference, demo_schema: Schema) -> dict[str, Transcript]:
    return {name: transcribe(FOLDER / name, demo_schema, models, monitor=NOT_MONITORED) for name in (DRAINS, ADMISSION)}


@pytest.mark.parametrize(
    ("name", "row_name", "begins", "value"),
    [
        (ADMISSION, "Blood pressure", "Blood pressure", "154/88"),
        (ADMISSION, "Heart rate", "Heart rate", 104.0),
        (DRAINS, "Heart rate", "Heart rate", 88.0),
        (DRAINS, "Respiratory rate", "Respirations", 16.0),
        (DRAINS, "Temperature", "Temperature", 37.4),
        (DRAINS, "Oxygen saturation (SpO2)", "Saturation", 96.0),
    ],
)
def test_a_sentence_said_to_a_row_is_its_value(
    models: Inference,
    demo_schema: Schema,
    dictations: dict[str, Transcript],
    tmp_path: Path,
    name: str,
    row_name: str,
    begins: str,
    value: Value,
) -> None:
    row = next(row for row in demo_schema.rows if row.name == row_name)
    said = next(one for one in segment(dictations[name].text) if one.text.startswith(begins))
    span = dictations[name].audio_span(said.start, said.end)
    assert span
    start, end = (round(second * SAMPLE_RATE) for second in (span[0] - AROUND, span[1] + AROUND))
    clip = write_audio(tmp_path / "value.wav", decode(FOLDER / name)[start:end])
    heard = transcribe(clip, demo_schema, models, monitor=NOT_MONITORED)
    assert spoken_value(row, demo_schema, heard.text, dt.date(2026, 11, 26)) == value
