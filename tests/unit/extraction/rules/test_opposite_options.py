"""An option is not proposed unlit where its sentence states the opposite by a prefix."""

from __future__ import annotations

import pytest

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.rules.explicit_statements import explicit_statements
from tests.kit.rules import after, task_of

LABORED = (Option("Labored"), Option("Unlabored"), Option("Shallow"))
RHYTHM = (Option("Regular"), Option("Irregular"))
BELLY = (Option("soft"), Option("tender"), Option("non-tender"))
MOBILE = (Option("Mobile"), Option("Bedbound"))


def stated(options: tuple[Option, ...], text: str, read: Value) -> tuple[Value, bool]:
    """What is proposed for what a model read of a sentence, and whether it is lit."""
    kind = ValueType.MULTI_SELECT if isinstance(read, tuple) else ValueType.SINGLE_SELECT
    schema = Schema("t", "T", "1", (Row("row", "Row", kind, ("C",), options),), "", "")
    evidence = Evidence(0, len(text), text, 0, len(text))
    value = FilledValue("row", read, None, evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "", 0), "rowwise")
    proposals, task = Proposals((value,), ()), task_of(text, schema)
    (found,) = after(explicit_statements(task, proposals), proposals, schema, rule="stated-outright").values
    return found.value, bool(found.flags)


@pytest.mark.parametrize(
    ("options", "text", "read", "expected"),
    [
        (LABORED, "Respirations are unlabored at 18.", "Labored", "Unlabored"),
        (LABORED, "Respirations un-labored.", "Labored", "Unlabored"),
        (RHYTHM, "Rhythm irregular on the monitor.", "Regular", "Irregular"),
        (RHYTHM, "Rhythm regular on the monitor.", "Irregular", "Regular"),
        (BELLY, "Belly nontender.", ("soft", "tender"), ("soft", "non-tender")),
        (BELLY, "Belly non tender.", ("tender",), ("non-tender",)),
    ],
)
def test_the_option_that_is_said_is_proposed_lit(
    options: tuple[Option, ...], text: str, read: Value, expected: Value
) -> None:
    assert stated(options, text, read) == (expected, True)


def test_an_opposite_that_is_no_option_lights_the_value() -> None:
    assert stated(MOBILE, "Immobile since the stroke.", "Mobile") == ("Mobile", True)


@pytest.mark.parametrize(
    ("options", "text", "read"),
    [
        (LABORED, "Respirations labored.", "Labored"),
        (LABORED, "Unlabored at rest, labored on exertion.", "Labored"),
        (LABORED, "No labored breathing.", "Unlabored"),
        (BELLY, "Belly not tender.", ("non-tender",)),
        ((Option("Formed"), Option("Loose")), "I informed the doctor about her bowels.", "Formed"),
    ],
)
def test_nothing_is_changed_where_the_opposite_is_not_stated(
    options: tuple[Option, ...], text: str, read: Value
) -> None:
    assert stated(options, text, read) == (read, False)
