"""A dressing, a site or drainage is of the thing that was named last; a row of another is lit."""

from __future__ import annotations

import pytest

from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.steps import charted

SCHEMA = load_schema(DEMONSTRATION_SCHEMA)
INTACT = "clean, dry and intact"


def flags(text: str, row_id: str, value: Value, words: str) -> tuple[str, ...]:
    """The flags of a value of which the models are sure."""
    values = charted(text, SCHEMA, [(row_id, value, words)]).values
    return next(one.flags for one in values if (one.row_id, one.value) == (row_id, value))


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Central line in the right IJ. Right hip incision dressing CDI.", "cvc.dressing_status", INTACT, "CDI"),
        ("PICC infusing well. Abdominal incision dressing is dry.", "cvc.dressing_status", INTACT, "dry"),
        ("Art line zeroed. Chest tube to suction, dressing CDI.", "art.dressing", INTACT, "CDI"),
        ("Chest tube on water seal. Thoracotomy incision dressing is loose.", "ct.dressing", "loose", "loose"),
        ("Chest tube out 40. JP is serosanguineous.", "ct.drainage", "serosanguineous", "serosanguineous"),
        ("PICC in the right arm. The IV site is swollen.", "cvc.site_condition", ("swelling",), "swollen"),
        ("Hip incision. Central line covered, dressing stained.", "wound1.dressing_status", "stained", "stained"),
    ],
)  # fmt: skip
def test_what_is_said_of_another_thing_is_lit(text: str, row_id: str, value: Value, words: str) -> None:
    assert flags(text, row_id, value, words)


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Central line in the right IJ, dressing CDI.", "cvc.dressing_status", INTACT, "CDI"),
        ("PICC right arm. Dressing CDI.", "cvc.dressing_status", INTACT, "CDI"),
        ("Right hip incision approximated. Central line dressing CDI.", "cvc.dressing_status", INTACT, "CDI"),
        ("Chest tube to suction. Draining serosanguineous.", "ct.drainage", "serosanguineous", "serosanguineous"),
        ("Art line zeroed. Good waveform. Dressing stained.", "art.dressing", "stained", "stained"),
        ("Trach site is red.", "airway.trach_site", ("Red",), "red"),
        ("Chest tube dressing loose, reinforced it.", "ct.dressing", "loose", "loose"),
        ("Central line and art line dressings are CDI.", "cvc.dressing_status", INTACT, "CDI"),
        ("Incision covered. Foam dressing on.", "wound1.dressing_type", "foam", "Foam"),
    ],
)  # fmt: skip
def test_what_is_said_of_the_thing_named_last_is_not(text: str, row_id: str, value: Value, words: str) -> None:
    assert flags(text, row_id, value, words) == ()
