"""Undo brings the view back to what it undid; a person's values carry no percentages; empty dates are empty."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.chart.records import ReviewStatus
from extraction.flowsheet.schema import Row, ValueType
from tests.gui.conftest import Ward
from tests.gui.hands import CTRL, SHIFT
from ui.flowsheet.editors import MomentEditor, make_editor
from ui.flowsheet.flowsheet_model import HEADINGS, Column
from ui.kit.widgets import Chip

PROPOSED, CONFIRMED, EDITED, REJECTED = (
    ReviewStatus.PROPOSED,
    ReviewStatus.CONFIRMED,
    ReviewStatus.EDITED,
    ReviewStatus.REJECTED,
)


def text(ward: Ward, row_id: str, column: Column, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> str:
    index = ward.window.page.flowsheet._model.index_of(ward.value(row_id).id)
    words: str = index.siblingAtColumn(column).data(role)
    return words


def heard(ward: Ward, row_id: str) -> str:
    return text(ward, row_id, Column.NAME, Qt.ItemDataRole.AccessibleTextRole)


def edit_heart_rate(ward: Ward) -> None:
    ward.choose("hr")
    ward.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type("118")
    ward.key(Qt.Key.Key_Return)
    ward.until_status("hr", EDITED)


# undo


def test_undo_goes_back_to_the_value_and_says_what_it_undid(review: Ward) -> None:
    page = review.window.page
    edit_heart_rate(review)
    review.choose("skin")  # at the other end
    review.window.side.open.setFocus()
    review.key(Qt.Key.Key_Z, CTRL)
    review.until_status("hr", PROPOSED)
    assert page.current
    assert page.current.row_id == "hr"
    assert page.flowsheet.hasFocus()
    review.until(
        lambda: page.flowsheet.viewport().rect().contains(page.flowsheet.visualRect(page.flowsheet.currentIndex()))
    )
    review.until(lambda: review.window.message.text == "Undone: Heart rate 118 /min, edited. Now 112 /min, proposed.")


def test_undo_of_many_goes_to_the_first_of_them(review: Ward) -> None:
    review.key(Qt.Key.Key_A, SHIFT)
    review.until(lambda: review.value("hr").status is CONFIRMED)
    count = sum(value.status is CONFIRMED for value in review.values())
    review.choose("skin")
    review.key(Qt.Key.Key_U)
    review.until_status("hr", PROPOSED)
    page = review.window.page
    first = next(
        value for value in page.flowsheet._model.ordered() if value.status is PROPOSED and value.row_id == "hr"
    )
    assert page.current == first
    assert review.window.message.text.startswith(f"Undone: {count} values, confirmed. Now proposed: Heart rate, ")


def test_undo_of_a_value_that_was_added_says_that_it_is_gone(review: Ward) -> None:
    def add(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "family bedside")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Y)  # type: ignore[arg-type]
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    review.in_dialog(lambda: review.key(Qt.Key.Key_F, CTRL), add)
    review.until(lambda: len(review.values()) == 19)
    review.key(Qt.Key.Key_Z, CTRL)
    review.until(lambda: len(review.values()) == 18)
    review.until(lambda: "added." in review.window.message.text)
    review.until(lambda: "Now not in the flowsheet." in review.window.message.text)


def test_an_undo_that_touched_nothing_seen_is_said_all_the_same(review: Ward) -> None:
    from ui.review.undo_words import undone_words

    sheet = review.window.page.sheet
    assert sheet
    assert undone_words(sheet.schema, sheet.values, sheet.values, ()) == ("Undone.", "")


# percentages


def test_a_value_carries_no_percentage_and_says_who_edited_it(review: Ward) -> None:
    review.choose("breath")
    assert "by hand" not in heard(review, "breath")
    review.key(Qt.Key.Key_1)
    review.key(Qt.Key.Key_Return)
    review.until_status("breath", EDITED)
    review.choose("breath")
    chips = [chip for chip in review.window.page.detail.findChildren(Chip) if chip.isVisible()]
    assert chips, "another reading can still be chosen"
    assert "by hand" in heard(review, "breath")
    seen = [words for chip in chips for words in (chip.text(), chip.accessibleName(), chip.toolTip())]
    seen += [text(review, value.row_id, column) for value in review.values() for column in range(len(HEADINGS))]
    assert not [words for words in seen if "%" in words]


# dates and times


def row_of(kind: ValueType) -> Row:
    return Row(id="when", name="When", category=("Any",), value_type=kind)


MOMENTS = [ValueType.DATE, ValueType.TIME, ValueType.DATE_TIME]


@pytest.mark.parametrize("kind", MOMENTS)
def test_an_empty_date_or_time_is_an_empty_field_that_says_what_belongs_there(qtbot: Any, kind: ValueType) -> None:
    editor = make_editor(row_of(kind))
    qtbot.addWidget(editor)
    editor.show_value(None)
    editor.show()
    shown = [field for field in editor.fields if field.isVisible()]
    (field,) = shown
    assert isinstance(field, QLineEdit)
    assert field.text() == ""
    assert field.placeholderText()
    assert not any(character.isdigit() for character in field.placeholderText())
    assert editor.value() is None
    editor.setFocus()
    assert QApplication.focusWidget() in (field, None)


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        (ValueType.DATE, "3 Nov 2026", "2026-11-03"),
        (ValueType.DATE, "3 november 2026", "2026-11-03"),
        (ValueType.DATE, "2026-11-03", "2026-11-03"),
        (ValueType.DATE, "3/11/2026", "3/11/2026"),
        (ValueType.DATE, "3 Nov", "3 Nov"),
        (ValueType.TIME, "7:05", "07:05"),
        (ValueType.TIME, "1930", "19:30"),
        (ValueType.TIME, "19", "19"),
        (ValueType.DATE_TIME, "3 Nov 2026  19:30", "2026-11-03T19:30"),
        (ValueType.DATE_TIME, "2026-11-03 19:30", "2026-11-03T19:30"),
        (ValueType.DATE_TIME, "3 Nov 2026", "3 Nov 2026"),
    ],
)
def test_what_is_typed_is_a_date_or_time_only_when_it_is_whole(
    qtbot: Any, kind: ValueType, typed: str, value: str
) -> None:
    editor = make_editor(row_of(kind))
    qtbot.addWidget(editor)
    editor.show_value(None)
    assert isinstance(editor, MomentEditor)
    QTest.keyClicks(editor._line, typed)
    assert editor.value() == value


@pytest.mark.parametrize("kind", MOMENTS)
def test_now_fills_the_empty_field_and_unfinished_input_is_restored(qtbot: Any, kind: ValueType) -> None:
    editor = make_editor(row_of(kind))
    qtbot.addWidget(editor)
    assert isinstance(editor, MomentEditor)
    editor.show_value("3 No")
    assert editor._line.text() == "3 No"
    editor._now.click()
    assert editor.value()
    assert editor._line.isHidden()
    editor.show_value(None)
    assert editor.value() is None
    assert editor._picker.isHidden()


def test_a_time_that_is_not_whole_is_refused_in_plain_words(review: Ward) -> None:
    review.choose("turned")
    review.key(Qt.Key.Key_E)
    detail = review.window.page.detail
    assert isinstance(detail.editor, MomentEditor)
    detail.editor.show_value(None)
    detail.edit()
    review.type("19")
    review.key(Qt.Key.Key_Return)
    assert "'19' cannot be a value of" in detail._error.text()
    assert review.value("turned").status is PROPOSED
    review.type(":30")
    review.key(Qt.Key.Key_Return)
    review.until_status("turned", EDITED)
    assert review.value("turned").value == "19:30"


def test_a_date_is_written_alike_in_the_flowsheet_and_in_its_editor(review: Ward) -> None:
    assert "20 Nov 2026 19:30" in heard(review, "foley")
    assert "19 Nov 2026" in heard(review, "bm")
    review.choose("bm")
    assert review.window.page.detail.editor
    assert review.window.page.detail.editor.fields[1].text() == "19 Nov 2026"  # type: ignore[attr-defined]
