"""Values outside of their ranges: refused, asked for a second time, and seen for what they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.flowsheet.schema import Interval, Row, ValueType
from extraction.flowsheet.values import Value
from tests.gui.conftest import NARROW, Ward, lay_out
from tests.gui.hands import FIFTEEN, MOST_PRESSES, Hands, filed
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from tests.kit.ranges import MisreadingEngine, write_ranged_schema
from ui.flowsheet.flowsheet_model import ABNORMAL_ROLE, Column
from ui.flowsheet.range_words import limits_hint
from ui.kit.theme import SCHEMES

PROPOSED, CONFIRMED, EDITED, ADDED = (
    ReviewStatus.PROPOSED, ReviewStatus.CONFIRMED, ReviewStatus.EDITED, ReviewStatus.ADDED
)  # fmt: skip
SHIFT = Qt.KeyboardModifier.ShiftModifier
ENTER = Qt.Key.Key_Return
Opens = Callable[..., Ward]


@pytest.fixture
def opened(new_ward: Callable[..., Ward], tmp_path: Path, out: Path) -> Opens:
    """A ward whose schema has ranges, with a recording in which other numbers were read than were said."""

    def make(values: Mapping[str, Value], held_back: Mapping[str, Value] | None = None, count: int = 18) -> Ward:
        chosen = replace(load_settings(paths.config_file()), schema=str(write_ranged_schema(tmp_path)))
        save_settings(chosen, paths.config_file())
        ward = new_ward(MisreadingEngine(values, held_back))
        ward.until_ready()
        ward.add_patient()
        ward.open_recording()
        ward.until_review(count)
        return ward

    return make


def test_the_editor_says_what_is_usual() -> None:
    row = Row("drain", "Drainage", ValueType.NUMERIC, ("Drains",), unit="mL", usual=(Interval(0, 600),))
    assert limits_hint(row) == "usual 0–600"


def enter_number(ward: Ward, text: str) -> None:
    ward.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type(text)
    ward.key(ENTER)


def asked(ward: Ward) -> str:
    again = ward.window.page.detail.again
    return again.words.text() if again.isVisible() else ""


def cell(ward: Ward, row_id: str, column: Column, role: Qt.ItemDataRole | int = Qt.ItemDataRole.DisplayRole) -> Any:
    model = ward.window.page.flowsheet._model
    index = model.index_of(ward.value(row_id).id)
    return index.sibling(index.row(), column).data(role)


# entering


def test_an_impossible_number_is_refused_and_stays_in_the_editor(review: Ward) -> None:
    """In a schema that knows nothing of absolute ranges: 400 % of oxygen saturation cannot be."""
    review.choose("spo2")
    before = review.value("spo2")
    for _ in range(3):
        enter_number(review, "400")
        review.until_idle()
        assert review.value("spo2") == before
    error = review.window.page.detail._error
    assert error.isVisible()
    assert "400 % is not possible: Oxygen saturation accepts 0–100 %" in error.text()
    assert review.window.page.detail.editor
    assert review.window.page.detail.editor.value() == 400.0


def test_a_critical_number_is_saved_by_a_second_press_alone(opened: Opens) -> None:
    ward = opened({})
    ward.choose("spo2")
    enter_number(ward, "59")
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert asked(ward) == "Oxygen saturation 59 % is critically low. Press Enter again to confirm."
    assert ward.window.page.detail.accept.text().replace("&", "") == "Confirm anyway"
    ward.key(ENTER)
    ward.until_status("spo2", EDITED)
    assert ward.value("spo2").value == 59.0
    assert ward.value("spo2").confirmed_outside == "critical"


def test_another_number_after_the_question_is_a_question_of_its_own(opened: Opens) -> None:
    ward = opened({})
    ward.choose("spo2")
    enter_number(ward, "59")
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type("58")
    assert asked(ward) == ""
    ward.key(ENTER)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "58 %" in asked(ward)
    ward.key(Qt.Key.Key_Escape)
    assert asked(ward) == ""
    assert ward.value("spo2").status is PROPOSED


def test_a_critical_proposal_is_accepted_by_a_second_press_while_the_question_is_seen(opened: Opens) -> None:
    ward = opened({"spo2": 59.0, "bp": "88/46"})
    ward.choose("spo2")
    ward.key(ENTER)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "critically low" in asked(ward)
    ward.choose("rr")  # gone and come back, it has to be read again
    ward.choose("spo2")
    assert asked(ward) == ""
    ward.key(ENTER)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    ward.key(ENTER)
    ward.until_status("spo2", CONFIRMED)
    assert ward.value("spo2").confirmed_outside == "critical"
    ward.choose("bp")
    ward.key(ENTER)  # merely low
    ward.until_status("bp", CONFIRMED)
    assert ward.value("bp").confirmed_outside is None


def test_an_impossible_proposal_is_lit_and_offers_no_button_to_accept_it(opened: Opens) -> None:
    ward = opened({"spo2": 400.0})
    page = ward.window.page
    assert page.flowsheet._model.ordered()[0].row_id == "spo2"
    ward.choose("spo2")
    assert "400 % is not possible" in page.detail._reason_lines.text()
    assert not page.detail.accept.isVisible()
    assert page.detail.reject.isVisible()
    for key in (ENTER, Qt.Key.Key_A, ENTER):
        ward.key(key)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "Correct it (E), or reject it (R)" in page.detail._error.text()
    ward.choose("spo2")
    enter_number(ward, "94")
    ward.until_status("spo2", EDITED)


def test_accepting_the_rest_leaves_what_is_alarming(opened: Opens) -> None:
    ward = opened({"spo2": 59.0, "hr": 300.0, "rr": 400.0, "bp": "88/46"})
    ward.key(Qt.Key.Key_A, SHIFT)
    ward.until_status("bp", CONFIRMED)
    assert [ward.value(row).status for row in ("spo2", "hr", "rr")] == [PROPOSED] * 3


def test_a_held_back_value_is_taken_by_a_second_press(opened: Opens) -> None:
    ward = opened({}, {"spo2": 59.0}, 17)
    leftovers = ward.window.page.leftovers
    ward.key(Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    ward.until(lambda: leftovers.maybe.opened)
    line = leftovers.maybe.current()
    assert line
    assert (line.value, "critically low" in line.spoken) == ("59 % ↓↓", True)
    ward.key(ENTER)
    ward.until_idle()
    assert len(ward.values()) == 17
    assert "critically low. Press Enter again" in leftovers.maybe.again.words.text()
    ward.key(ENTER)
    ward.until(lambda: len(ward.values()) == 18)
    assert ward.value("spo2").confirmed_outside == "critical"


def test_a_press_that_is_held_or_drummed_is_no_second_press(opened: Opens) -> None:
    ward = opened({"spo2": 59.0})
    ward.choose("spo2")
    ward.hold(ENTER)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    ward.choose("rr")
    ward.choose("spo2")
    ward.key(ENTER)
    ward.key(ENTER, after=0.1)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "critically low" in asked(ward)
    ward.key(ENTER)
    ward.until_status("spo2", CONFIRMED)


def test_a_value_is_added_by_a_second_press(opened: Opens) -> None:
    ward = opened({}, {"hr": 80.0}, 17)

    def add(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "heart rate")
        ward.key(ENTER)
        for text, said in (("-3", "not possible"), ("140", "critically high. Press Enter again")):
            QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
            ward.type(text)
            ward.key(ENTER)
            assert dialog.isVisible()
            assert said in " ".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
        ward.key(ENTER)
        assert not dialog.isVisible()

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier), add)
    ward.until(lambda: len(ward.values()) == 18)
    assert (ward.value("hr").value, ward.value("hr").status, ward.value("hr").confirmed_outside) == (
        140.0, ADDED, "critical"
    )  # fmt: skip


# seeing


def test_abnormal_values_are_seen_and_heard(opened: Opens) -> None:
    ward = opened({"spo2": 59.0, "bp": "88/46", "temp": 38.9, "hr": 80.0})
    assert [cell(ward, row, Column.VALUE) for row in ("spo2", "bp", "temp", "hr")] == [
        "59 ↓↓", "88↓/46↓", "38.9 ↑", "80"
    ]  # fmt: skip
    assert [cell(ward, row, Column.VALUE, ABNORMAL_ROLE) for row in ("spo2", "bp", "temp", "hr")] == [
        True, True, True, False
    ]  # fmt: skip
    heard = cell(ward, "bp", Column.NAME, Qt.ItemDataRole.AccessibleTextRole)
    assert "88/46, mmHg, systolic low, diastolic low" in heard
    assert "↓" not in heard
    assert "critically low" in cell(ward, "spo2", Column.NAME, Qt.ItemDataRole.AccessibleTextRole)
    detail = ward.window.page.detail
    ward.choose("spo2")
    assert detail.range.judged.text() == "59 % ↓↓   Critically low · normal 94 or more"
    assert not detail.range.confirmed.isVisible()
    ward.choose("hr")
    assert not detail.range.isVisible()
    hints = [label.text() for label in detail.findChildren(QLabel)]
    assert "normal 60–100 · possible 0–250" in hints
    ward.choose("bp")
    hints = [label.text() for label in detail.findChildren(QLabel)]
    assert "normal 90–140 / 60–90 · possible 0–400 / 0–300" in hints


def test_that_a_value_was_confirmed_all_the_same_is_seen_and_filed(opened: Opens, out: Path) -> None:
    ward = opened({"spo2": 59.0, "bp": "88/46"})
    ward.choose("spo2")
    ward.key(ENTER)
    lay_out()  # the question has to be on the screen before it is answered
    ward.key(ENTER)
    ward.until_status("spo2", CONFIRMED)
    ward.choose("spo2")
    assert ward.window.page.detail.range.confirmed.text() == "Confirmed despite being critically low by R. Nurse"
    assert "confirmed despite being critically low" in cell(
        ward, "spo2", Column.NAME, Qt.ItemDataRole.AccessibleTextRole
    )
    ward.key(Qt.Key.Key_A, SHIFT)
    ward.until(lambda: ward.value("bp").status is CONFIRMED)
    left = [value.id for value in ward.values() if value.status is PROPOSED]
    ward.window.review.watch(ward.workbench.review.decide(ward.window.page.sheet, left, "reject"))
    ward.until(lambda: not any(value.status is PROPOSED for value in ward.values()))
    ward.key(Qt.Key.Key_F)
    ward.until(lambda: list(out.glob("*.json")))
    (file,) = out.glob("*.json")
    records = {one["row_id"]: one for one in json.loads(file.read_text(encoding="utf-8"))["records"]}
    assert (records["spo2"]["interpretation"], records["spo2"]["confirmed_outside"]) == ("LL", "critical")
    assert (records["bp"]["interpretation"], records["bp"]["confirmed_outside"]) == ("L/L", None)
    assert records["hr"]["interpretation"] == "H"


@pytest.mark.parametrize("theme", SCHEMES)
def test_abnormal_values_are_drawn_in_their_colour(opened: Opens, theme: str) -> None:
    ward = opened({"spo2": 59.0, "bp": "88/46"})
    ward.theme.choose(theme)
    ward.choose("hr")
    flowsheet = ward.window.page.flowsheet
    lay_out()
    ink = ward.theme.colour("abnormal").name()

    def drawn(row_id: str) -> bool:
        index = flowsheet._model.index_of(ward.value(row_id).id)
        flowsheet.scrollTo(index)
        place = flowsheet.visualRect(index.sibling(index.row(), Column.VALUE))
        picture = flowsheet.viewport().grab(place).toImage()
        return any(
            picture.pixelColor(x, y).name() == ink for x in range(picture.width()) for y in range(picture.height())
        )

    assert drawn("spo2")
    assert drawn("bp")
    assert not drawn("rr")


# conflicts


@pytest.mark.parametrize(
    ("standing", "mine", "first"),
    [(112.0, 98.0, "keep"), (400.0, 98.0, "replace"), (112.0, 400.0, "keep"), (400.0, -7.0, ""), (131.0, 98.0, "")],
)
def test_the_charted_value_is_offered_first_unless_critical_or_implausible(
    opened: Opens, monkeypatch: pytest.MonkeyPatch, standing: float, mine: float, first: str
) -> None:
    """What stands may be a value that could be entered before there were ranges."""
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-21T14:05:00.000+00:00")
    ward = opened({"hr": mine})
    page = ward.window.page
    assert page.sheet
    other = ward.workbench.workspace.store.reviews.add(page.sheet.dictation.id, "hr", standing, "/min", "T. Early")
    ward.window.navigation.load_sheet(page.sheet.dictation.id)
    ward.until(lambda: page.sheet and ward.value("hr").id in page.sheet.conflicts)
    assert other.value == standing
    ward.choose("hr")
    keep, replaced = page.detail.keep_other, page.detail.replace_other
    primary = [name for name, one in (("keep", keep), ("replace", replaced)) if one.property("kind") == "primary"]
    assert primary == ([first] if first else [])
    assert keep.isVisible()
    assert replaced.isVisible() == (mine > 0)
    words = page.detail.conflict.words.text()
    assert ("implausibly high" in words.lower()) == (standing == 400.0)


def test_a_critical_value_replaces_another_only_by_a_second_press(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-21T14:05:00.000+00:00")
    ward = opened({"hr": 140.0})
    page = ward.window.page
    assert page.sheet
    ward.workbench.workspace.store.reviews.add(page.sheet.dictation.id, "hr", 98.0, "/min", "T. Early")
    ward.window.navigation.load_sheet(page.sheet.dictation.id)
    ward.until(lambda: page.sheet and ward.value("hr").id in page.sheet.conflicts)
    ward.choose("hr")
    ward.key(Qt.Key.Key_P)
    ward.until_idle()
    assert ward.value("hr").status is PROPOSED
    assert asked(ward) == "Heart rate 140 /min is critically high. Press P again to confirm."
    ward.key(Qt.Key.Key_P)
    ward.until_status("hr", CONFIRMED)
    assert ward.value("hr").confirmed_outside == "critical"


def test_in_a_narrow_window_the_question_is_scrolled_into_view_before_it_can_be_answered(opened: Opens) -> None:
    ward = opened({"spo2": 59.0, "bp": "88/39"})
    ward.window.resize(NARROW)
    page = ward.window.page
    for row_id in ("bp", "spo2"):
        ward.choose(row_id)
        ward.key(ENTER)
        ward.until(lambda: page.detail.again.words.visibleRegion().boundingRect().height() >= 14)
        bar = page.scrolled.verticalScrollBar()
        bar.setValue(0)
        assert page.detail.again.words.visibleRegion().isEmpty()
        ward.clock.seconds += 1
        QTest.keyClick(QApplication.focusWidget(), ENTER)  # at once, when it is not to be seen
        ward.until_idle()
        assert ward.value(row_id).status is PROPOSED
        ward.until(lambda: not page.detail.again.words.visibleRegion().isEmpty())
        ward.key(ENTER)
        ward.until_status(row_id, CONFIRMED)


# the second press is one of its own


@pytest.mark.parametrize("key", [ENTER, Qt.Key.Key_A])
def test_a_held_key_asks_and_never_answers(opened: Opens, key: Qt.Key) -> None:
    ward = opened({"spo2": 59.0})
    ward.choose("spo2")
    ward.hold(key)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "critically low" in asked(ward)
    ward.key(key)
    ward.until_status("spo2", CONFIRMED)


def test_a_second_press_too_soon_does_not_count(opened: Opens) -> None:
    ward = opened({"spo2": 59.0})
    ward.choose("spo2")
    ward.key(ENTER)
    for _ in range(2):
        ward.key(ENTER, after=0.1)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "critically low" in asked(ward)
    ward.key(ENTER, after=0.3)
    ward.until_status("spo2", CONFIRMED)


def test_a_held_key_in_an_editor_saves_no_critical_number(opened: Opens) -> None:
    ward = opened({})
    ward.choose("spo2")
    ward.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type("59")
    ward.hold(ENTER)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    assert "critically low" in asked(ward)


def test_a_double_click_confirms_nothing_critical(opened: Opens) -> None:
    ward = opened({"spo2": 59.0})
    ward.choose("spo2")
    accept = ward.window.page.detail.accept
    ward.click(accept)
    QTest.mouseClick(accept, Qt.MouseButton.LeftButton)
    ward.until_idle()
    assert ward.value("spo2").status is PROPOSED
    ward.click(accept)
    ward.until_status("spo2", CONFIRMED)


def test_a_short_review_stays_short_where_rows_have_ranges(
    new_ward: Callable[..., Ward], calibrated: None, tmp_path: Path, out: Path
) -> None:
    chosen = replace(load_settings(paths.config_file()), schema=str(write_ranged_schema(tmp_path)))
    save_settings(chosen, paths.config_file())
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("short.txt", FIFTEEN)
    ward.until_review(15)
    assert ward.window.page.flowsheet.lit == 3
    hands = Hands(ward)
    hands.press(Qt.Key.Key_A, Qt.Key.Key_A, Qt.Key.Key_A)
    ward.until(lambda: ward.window.page.flowsheet.lit == 0)
    hands.press(Qt.Key.Key_A, modifiers=Qt.KeyboardModifier.ShiftModifier)
    ward.until(lambda: not any(value.status is PROPOSED for value in ward.values()))
    hands.press(Qt.Key.Key_F)
    ward.until(lambda: filed(ward))
    assert hands.pressed <= MOST_PRESSES
