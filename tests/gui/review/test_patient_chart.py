"""The chart is the patient's, whatever dictation is open; only whole columns of it are seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QTableView

from app.chart.records import ReviewStatus
from app.store import Store
from app.system import paths
from tests.gui.conftest import Ward, lay_out
from tests.kit.charted import ADA, DAY, Days
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from ui.flowsheet.chart.chart_model import NOW, NOW_ROLE
from ui.flowsheet.chart.chart_view import shortened

ROUND = {"hr": 104.0, "bp": "140/72", "urine": 300.0}


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, calibrated: None, out: Path) -> Days:
    return Days(monkeypatch.setattr, tmp_path)


@pytest.fixture
def opened(days: Days, new_ward: Callable[..., Ward]) -> Callable[[str], Ward]:
    """Charts a round of 20:15 and opens a dictation of a minute."""

    def open_at(minute: str) -> Ward:
        with Store(paths.database_file()) as store:
            days.chart(store, f"{DAY}T04:10", {"hr": 84.0}, ADA)
            days.chart(store, f"{DAY}T20:15", ROUND, ADA)
            days.chart(store, f"{DAY}T{minute}", {}, ADA, name="late entry.txt", review=False)
        engine = FakeEngine()
        engine.weighed_by = WEIGHED_BY
        ward = new_ward(engine)
        ward.until_ready()
        ward.until_review()
        ward.window.resize(1366, 768)
        lay_out()
        return ward

    return open_at


def grid(ward: Ward) -> QTableView:
    return ward.window.page.looks.chart.grid


def heads(ward: Ward) -> list[str]:
    model = grid(ward).model()
    return [model.headerData(column, Qt.Orientation.Horizontal).split(" ")[-1] for column in range(model.columnCount())]


def line(ward: Ward, name: str) -> list[str]:
    model = grid(ward).model()
    names = [model.headerData(number, Qt.Orientation.Vertical) for number in range(model.rowCount())]
    number = next(number for number, one in enumerate(names) if one.startswith(name))
    return [model.index(number, column).data() or "" for column in range(model.columnCount())]


def test_the_chart_has_what_another_dictation_charted_in_the_same_minute(opened: Callable[[str], Ward]) -> None:
    ward = opened("20:15")
    ward.key(Qt.Key.Key_C)
    assert heads(ward) == ["04:10", "20:15", NOW.split(" ")[-1]]
    assert line(ward, "Heart rate") == ["84", "104", "112"]
    assert line(ward, "Blood pressure") == ["", "140/72", "142/74"]


def test_the_chart_keeps_a_value_that_was_kept(opened: Callable[[str], Ward]) -> None:
    ward = opened("20:15")
    ward.choose("hr")
    ward.key(Qt.Key.Key_K)
    ward.until_status("hr", ReviewStatus.REJECTED)
    ward.key(Qt.Key.Key_C)
    assert line(ward, "Heart rate") == ["84", "104", ""]


def test_a_value_that_was_replaced_is_there_again_after_undo(opened: Callable[[str], Ward]) -> None:
    ward = opened("20:15")
    ward.choose("hr")
    ward.key(Qt.Key.Key_P)
    ward.until_status("hr", ReviewStatus.CONFIRMED)
    ward.key(Qt.Key.Key_C)
    assert line(ward, "Heart rate") == ["84", "", "112"]
    ward.key(Qt.Key.Key_C)
    ward.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    ward.until_status("hr", ReviewStatus.PROPOSED)
    ward.key(Qt.Key.Key_C)
    assert line(ward, "Heart rate") == ["84", "104", "112"]


def test_an_older_dictation_shows_what_was_charted_after_it(opened: Callable[[str], Ward]) -> None:
    ward = opened("14:05")
    ward.key(Qt.Key.Key_C)
    assert heads(ward) == ["04:10", NOW.split(" ")[-1], "20:15"]
    assert line(ward, "Heart rate") == ["84", "112", "104"]
    model = grid(ward).model()
    assert [model.index(1, column).data(NOW_ROLE) for column in range(3)] == [False, True, False]
    assert ward.window.page.looks.chart.balances.lines[0].startswith("Fluids Fri 19:00 to 20:15: in 0 mL, out 300 mL")
    ward.key(Qt.Key.Key_G)
    told = ward.window.page.looks.chart.graph.strips[0].accessibleDescription().split("; ")
    assert [one.split(" ")[0] for one in told] == ["84", "112", "104"]


@pytest.mark.parametrize("width", [1024, 1366, 1920])
def test_only_whole_columns_are_seen_and_the_newest_first(
    days: Days, new_ward: Callable[..., Ward], width: int
) -> None:
    with Store(paths.database_file()) as store:
        for hour in range(20):
            days.chart(store, f"{DAY}T{hour:02}:10", {"hr": 80.0 + hour, "bp": "128/70", "device": "Room air"}, ADA)
        days.chart(store, f"{DAY}T20:15", {}, ADA, name="evening round.txt", review=False)
    ward = new_ward(FakeEngine())
    ward.until_ready()
    ward.until_review()
    ward.window.resize(width, 768)
    ward.key(Qt.Key.Key_C)
    lay_out()
    view = grid(ward)

    def seen() -> list[int]:
        room = view.viewport().width()
        places = {
            column: view.columnViewportPosition(column)
            for column in range(view.model().columnCount())
            if -view.columnWidth(column) < view.columnViewportPosition(column) < room
        }
        assert all(left >= 0 and left + view.columnWidth(column) <= room for column, left in places.items())
        return list(places)

    assert seen()[-1] == view.model().columnCount() - 1
    for place in range(view.horizontalScrollBar().maximum(), -1, -1):
        view.horizontalScrollBar().setValue(place)
        lay_out()
        assert seen()
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    for wider in (37, -150):
        ward.window.resize(width + wider, 768)
        lay_out()
        assert seen()[-1] == view.model().columnCount() - 1


def test_a_number_is_shown_whole_or_not_at_all(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())
    text = "126/74, 131/80 · 09:30"
    for width in range(metrics.horizontalAdvance(text) + 5):
        shown = shortened(text, metrics, width)
        assert set(shown.split(" ")) <= {*text.split(" "), "…"}
    assert shown == text
