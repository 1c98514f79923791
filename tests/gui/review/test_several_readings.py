"""A row that was read at several times: one below the other, the latest on top, accepted together with one press."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize, Qt

from app.chart.records import ReviewedValue, ReviewStatus
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import FilledValue, Timing
from tests.gui.conftest import Ward
from tests.kit import fake_app
from tests.kit.fake_app import FakeEngine
from ui.flowsheet.flowsheet_model import BEHIND_ROLE, BELOW_ROLE, Column
from ui.kit.actions import BY_ID
from ui.kit.words import local_minute

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONFIRMED, PROPOSED = ReviewStatus.CONFIRMED, ReviewStatus.PROPOSED
DAY = "2026-11-20"
EARLIER = (("06:15", 88.0), ("05:00", 84.0))


@pytest.fixture
def several(new_ward: Callable[..., Ward], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ward]:
    """Opens a dictation that says the heart rate now and at two times before; `findings` are those of the earliest."""
    read = fake_app.values_of

    def open_ward(*findings: Finding) -> Ward:
        def values(text: str) -> tuple[FilledValue, ...]:
            found = read(text)
            now = next(one for one in found if one.row_id == "hr")
            more = [
                replace(now, value=value, timing=Timing(f"{DAY}T{time}", None, 0, 5, text[:5]), findings=found_of)
                for (time, value), found_of in zip(EARLIER, ((), findings), strict=True)
            ]
            return (*found, *more[::-1])

        monkeypatch.setattr(fake_app, "values_of", values)
        ward = new_ward(FakeEngine())
        ward.until_ready()
        ward.window.resize(QSize(1366, 768))
        ward.add_patient()
        ward.open_recording()
        ward.until_review(20)
        return ward

    return open_ward


def readings(ward: Ward) -> list[ReviewedValue]:
    return [one for one in ward.window.page.flowsheet._model.ordered() if one.row_id == "hr"]


def press_all(ward: Ward) -> None:
    ward.window.page.flowsheet.choose(readings(ward)[0].id)
    ward.key(Qt.Key.Key_S, SHIFT)


def test_they_stand_one_below_the_other_each_with_its_time(several: Callable[..., Ward]) -> None:
    ward = several()
    model = ward.window.page.flowsheet._model
    found = readings(ward)
    assert [one.value for one in found] == [112.0, 88.0, 84.0]
    places = [model.index_of(one.id) for one in found]
    assert [place.row() for place in places] == list(range(places[0].row(), places[0].row() + 3))
    assert [place.data(BELOW_ROLE) for place in places] == [False, True, True]
    times = [place.siblingAtColumn(Column.VALUE).data(BEHIND_ROLE) for place in places]
    sheet = ward.window.page.sheet
    assert sheet
    assert times[0].endswith(local_minute(sheet.dictation.created_at)[11:])
    assert ["06:15" in times[1], "05:00" in times[2]] == [True, True]


def test_one_press_accepts_them_all_and_one_step_takes_it_back(several: Callable[..., Ward]) -> None:
    ward = several()
    press_all(ward)
    ward.until(lambda: all(one.status is CONFIRMED for one in readings(ward)))
    assert sum(one.status is CONFIRMED for one in ward.values()) == 3
    ward.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    ward.until(lambda: all(one.status is PROPOSED for one in readings(ward)))


def test_a_flagged_one_is_named_and_nothing_is_accepted(several: Callable[..., Ward]) -> None:
    ward = several(Finding("time_untold", ("06:15",)))
    press_all(ward)
    assert "Heart rate 84 /min at 05:00" in ward.window.page.detail._error.text()
    assert ward.window.page.detail._error.isVisible()
    assert all(one.status is PROPOSED for one in readings(ward))


def test_it_is_possible_only_where_several_wait(several: Callable[..., Ward]) -> None:
    ward = several()
    action = ward.window.actions_["readings"]
    ward.choose("temp")
    assert not action.isEnabled()
    ward.window.page.flowsheet.choose(readings(ward)[0].id)
    ward.until(action.isEnabled)
    assert BY_ID["readings"].letters == ("Shift+S",)


def test_while_it_is_spoken_they_stand_there_with_their_times(several: Callable[..., Ward]) -> None:
    ward = several()
    sheet, live = ward.window.page.sheet, ward.window.live.values
    assert sheet
    assert sheet.transcript
    read = [one.filled for one in readings(ward) if one.filled]
    live.show_values(sheet.patient, sheet.schema, read, sheet.transcript.text)
    model = live.flowsheet._model
    assert [one.value for one in model.ordered()] == [112.0, 88.0, 84.0]
    times = [model.index_of(one.id).siblingAtColumn(Column.VALUE).data(BEHIND_ROLE) for one in model.ordered()]
    assert ["06:15" in times[1], "05:00" in times[2]] == [True, True]
