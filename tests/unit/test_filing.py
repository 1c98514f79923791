"""What keeps a dictation from being filed, and how it is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.filing import refuse_unreviewed
from app.records import ReviewStatus
from models.errors import InputError
from tests.unit.test_sheet import read, sheet_of


def test_a_flagged_value_is_named_as_lit() -> None:
    flagged = replace(read("hr", 110.0, "110"), flags=("“pulse” was not said",))
    sheet = sheet_of((flagged, ReviewStatus.PROPOSED), (read("rass", 4.0, "four"), ReviewStatus.CONFIRMED))
    lit = replace(sheet, lights={value.id: value.filled.flags for value in sheet.values if value.filled})
    with pytest.raises(InputError, match=r"Not filed: 1 lit value is not reviewed \(.*[Hh]eart rate.*\)"):
        refuse_unreviewed(lit)


def test_a_total_that_is_not_what_its_parts_make_is_named_as_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = sheet_of((read("hr", 110.0, "110"), ReviewStatus.PROPOSED))
    monkeypatch.setattr("app.sheet.differences", lambda _: {sheet.values[0].id: "components add up to 14"})
    assert not sheet.lights
    with pytest.raises(InputError, match="1 lit value is not reviewed"):
        refuse_unreviewed(sheet)
