"""What would have harmed a patient: each of these values was proposed unlit, and is lit with its reason, whatever the
models think of it. The pipeline runs as it does on a ward, over the demonstration schema; only the models are given."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from app.lighting import Lighting
from extraction.flowsheet.findings import reason_texts
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema
from tests.kit.steps import charted, heard

# where only what is surely wrong would be lit by confidence: nothing
CHOSEN = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.0)


@pytest.fixture(scope="module")
def demo() -> Schema:
    return load_schema(Path(str(files("resources"))) / "schemas" / "medsurg_icu.json")


def lights(schema: Schema, text: str, *models: tuple[str, Value, str]) -> dict[str, tuple[str, ...]]:
    """By row why the values of a clearly spoken text are lit, of which the models are 91 % sure."""
    result = charted(heard(text), schema, [(*one, 0.91) for one in models])
    reasons = CHOSEN.lights([(schema.row(value.row_id), value) for value in result.proposed], result.weighed_by)
    return {value.row_id: why for value, why in zip(result.values, map(reason_texts, reasons), strict=True) if why}


@pytest.mark.parametrize(
    ("text", "models", "lit"),
    [
        (
            "Bowel sounds are hyperactive in all four quadrants.",
            [("gi.bowel_sounds", "hyperactive", "hyperactive")],
            {"gi.bowel_sounds": "heard “hyperactive” – could be “hypoactive”; listen"},
        ),
        (
            "She has no chest pain.",
            [("card.chest_pain", True, "chest pain")],
            {"card.chest_pain": "said as negative (“She has no chest pain.”); could also be Yes"},
        ),
        (
            "Her skin is intact.",
            [("skin.integrity", ("intact",), "intact"), ("airway.trach_site", ("Intact",), "intact")],
            {"airway.trach_site": "heard “intact”; this row was not named: check that it belongs here"},
        ),
        (
            "He has a surgical incision.",
            [(f"wound{number}.type", "surgical incision", "surgical incision") for number in (1, 2)],
            {"wound2.type": "the same words were read for Wound 1"},
        ),
        (
            "The surgical site on the right leg is clean.",
            [("vs.bp_site", "Right leg", "right leg")],
            {"vs.bp_site": "heard “right leg”; this row was not named: check that it belongs here"},
        ),
        (
            "Heart rate is 88. She has chest pain.",
            [("vs.heart_rate", 88.0, "88"), ("card.chest_pain", True, "chest pain")],
            {},
        ),
    ],
    ids=["hyperactive", "no chest pain", "skin intact", "surgical incision", "surgical site", "plain"],
)  # fmt: skip
def test_a_value_that_may_harm_is_lit_with_its_reason(
    demo: Schema, text: str, models: list[tuple[str, Value, str]], lit: dict[str, str]
) -> None:
    assert lights(demo, text, *models) == {row_id: (why,) for row_id, why in lit.items()}
