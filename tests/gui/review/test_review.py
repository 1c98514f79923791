"""Reviewing with the keyboard and the mouse, until the export and the next day."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QToolButton

from app.chart.records import ReviewStatus
from tests.gui.conftest import Ward
from tests.kit.fake_app import FakeEngine
from ui.flowsheet.flowsheet_model import Column

CONFIRMED, EDITED, REJECTED, ADDED = (
    ReviewStatus.CONFIRMED,
    ReviewStatus.EDITED,
    ReviewStatus.REJECTED,
    ReviewStatus.ADDED,
)
PROPOSED = ReviewStatus.PROPOSED
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def current_row(ward: Ward) -> str:
    value = ward.window.page.current
    return value.row_id if value else ""


def test_a_new_dictation_is_ready_for_the_keyboard(ward: Ward) -> None:
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    page = ward.window.page
    assert current_row(ward) == "skin"  # the most doubtful of those that are lit
    assert page.words.transcript.lit_text() == "red but intact"
    assert page.flowsheet.hasFocus()
    ward.key(Qt.Key.Key_Down)
    assert current_row(ward) == "foley"
    assert page.words.transcript.lit_text() == "yesterday at 1930"


def test_arrow_keys_go_through_the_values_and_their_words(review: Ward) -> None:
    page = review.window.page
    assert page.words.transcript.lit_text() == "112"
    assert page.flowsheet.hasFocus()
    review.key(Qt.Key.Key_Down)
    assert current_row(review) == "rhythm"
    assert page.words.transcript.lit_text() == "regular"
    review.key(Qt.Key.Key_Up)
    assert current_row(review) == "hr"


def test_arrow_keys_walk_over_categories_both_ways(review: Ward) -> None:
    review.choose("skin")
    rows = [current_row(review)]
    for _ in range(17):
        review.key(Qt.Key.Key_Down)
        rows.append(current_row(review))
    assert len(set(rows)) == 18
    assert "" not in rows
    review.key(Qt.Key.Key_Down)  # at the end it stays
    assert current_row(review) == rows[-1]
    for row in reversed(rows[:-1]):
        review.key(Qt.Key.Key_Up)
        assert current_row(review) == row


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_Return])
def test_accepting_moves_to_the_next_value(review: Ward, key: Qt.Key) -> None:
    review.key(key)
    review.until_status("hr", CONFIRMED)
    assert current_row(review) == "rhythm"
    assert review.value("hr").reviewer == "R. Nurse"


def test_rejecting_and_undoing(review: Ward) -> None:
    review.key(Qt.Key.Key_R)
    review.until_status("hr", REJECTED)
    assert current_row(review) == "rhythm"
    review.key(Qt.Key.Key_Z, CTRL)
    review.until_status("hr", PROPOSED)


def test_keys_pressed_faster_than_the_disk_review_one_value_each(review: Ward) -> None:
    for _ in range(6):
        review.key(Qt.Key.Key_A)
    review.until(lambda: sum(value.status is CONFIRMED for value in review.values()) == 6)


def test_accept_all_that_are_sure_is_one_step(review: Ward) -> None:
    button = review.window.page.head.accept_all
    assert "11" in button.text()
    review.key(Qt.Key.Key_A, CTRL | SHIFT)
    review.until(lambda: sum(value.status is CONFIRMED for value in review.values()) == 11)
    assert not button.isEnabled()
    assert review.value("temp").status is PROPOSED  # its unit was assumed
    assert review.value("skin").status is PROPOSED  # it is lit
    review.key(Qt.Key.Key_Z, CTRL)
    review.until(lambda: all(value.status is PROPOSED for value in review.values()))
    assert not review.window.actions_["undo"].isEnabled()


def set_number(ward: Ward, text: str) -> None:
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    ward.type(text)


def set_option(name: str) -> Callable[[Ward], None]:
    def act(ward: Ward) -> None:
        box = QApplication.focusWidget()
        assert isinstance(box, QComboBox)
        for _ in range(box.findText(name) - box.currentIndex()):
            ward.key(Qt.Key.Key_Down)
        assert box.currentText() == name

    return act


def tick_third(ward: Ward) -> None:
    options = QApplication.focusWidget()
    assert isinstance(options, QListWidget)
    options.setCurrentRow(2)
    ward.key(Qt.Key.Key_Space)


def set_pressure(ward: Ward) -> None:
    set_number(ward, "138")
    ward.key(Qt.Key.Key_Tab)
    set_number(ward, "71")


def set_fahrenheit(ward: Ward) -> None:
    set_number(ward, "101")
    ward.key(Qt.Key.Key_Tab)
    set_option("°F")(ward)


def set_text(ward: Ward) -> None:
    text = QApplication.focusWidget()
    assert isinstance(text, QPlainTextEdit)
    text.selectAll()
    ward.type("left hip")


def answer_no(ward: Ward) -> None:
    ward.key(Qt.Key.Key_N)


def earlier(ward: Ward) -> None:
    ward.key(Qt.Key.Key_Down)


@pytest.mark.parametrize(
    ("row_id", "act", "value"),
    [
        ("hr", lambda ward: set_number(ward, "118"), 118.0),
        ("rhythm", set_option("Irregular"), "Irregular"),
        ("breath", tick_third, ("Crackles",)),
        ("bp", set_pressure, "138/71"),
        ("temp", set_fahrenheit, 38.33),
        ("painsite", set_text, "left hip"),
        ("alarm", answer_no, False),
        ("foley", earlier, "2026-11-19T19:30"),
        ("bm", earlier, "2026-11-18"),
        ("turned", earlier, "05:15"),
    ],
)
def test_every_type_of_value_can_be_changed_with_the_keyboard(
    review: Ward, row_id: str, act: Callable[[Ward], None], value: Any
) -> None:
    review.choose(row_id)
    review.key(Qt.Key.Key_E)
    act(review)
    assert review.window.page.detail.unsaved
    review.key(Qt.Key.Key_Return)
    review.until_status(row_id, EDITED)
    assert review.value(row_id).value == value
    assert current_row(review) != row_id
    assert review.window.page.flowsheet.hasFocus()


def test_what_cannot_be_a_value_is_refused_in_plain_words_and_stays_in_the_editor(review: Ward) -> None:
    review.key(Qt.Key.Key_F2)
    set_number(review, "fast")
    review.key(Qt.Key.Key_Return)
    detail = review.window.page.detail
    assert "'fast' cannot be a value of 'Heart rate'" in detail._error.text()
    assert detail._error.isVisible()
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.text() == "fast"
    assert review.value("hr").status is PROPOSED
    review.key(Qt.Key.Key_Escape)
    assert not detail.unsaved
    assert review.window.page.flowsheet.hasFocus()


def test_an_empty_editor_saves_nothing(review: Ward) -> None:
    review.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    review.key(Qt.Key.Key_Delete)
    review.key(Qt.Key.Key_Return)
    assert "No value entered" in review.window.page.detail._error.text()


def test_a_corrected_value_shows_what_was_proposed_beside_its_words(review: Ward) -> None:
    quote = review.window.page.detail.quote
    assert not quote.proposed.isVisible()
    review.key(Qt.Key.Key_E)
    set_number(review, "92")
    review.key(Qt.Key.Key_Return)
    review.until_status("hr", EDITED)
    review.choose("hr")
    assert quote.proposed.isVisible()
    assert quote.proposed.text() == "Proposed: 112 /min"
    review.choose("rr")
    assert not quote.proposed.isVisible()


def test_an_implausible_number_is_kept_and_says_so(review: Ward) -> None:
    review.key(Qt.Key.Key_E)
    set_number(review, "400")
    review.key(Qt.Key.Key_Return)
    assert "Press Enter again to confirm" in review.window.page.detail.again.words.text()
    review.key(Qt.Key.Key_Return)
    review.until_status("hr", EDITED)
    model = review.window.page.flowsheet.model()
    index = review.window.page.flowsheet._model.index_of(review.value("hr").id)
    assert "outside the plausible range" in model.data(index, Qt.ItemDataRole.ToolTipRole)


def test_a_change_that_was_left_is_neither_saved_nor_lost(review: Ward) -> None:
    review.choose("temp")
    review.key(Qt.Key.Key_E)
    set_fahrenheit(review)
    review.choose("pain")
    review.until(lambda: "Your change to Temperature is not saved" in review.window.message.text)
    assert review.value("temp").status is PROPOSED
    assert not review.window.page.detail.unsaved
    review.click(review.window.message.act)
    assert current_row(review) == "temp"
    assert review.window.page.detail.unsaved
    review.click(review.window.page.detail.accept)
    review.until_status("temp", EDITED)
    assert review.value("temp").value == 38.33


def test_letters_typed_into_an_editor_stay_letters(review: Ward) -> None:
    review.choose("painsite")
    review.key(Qt.Key.Key_E)
    review.type("are ")
    assert review.value("painsite").status is PROPOSED
    assert review.window.page.detail.unsaved


def test_another_reading_goes_into_the_editor_and_waits_for_a_decision(review: Ward) -> None:
    review.choose("breath")
    other = next(b for b in review.window.page.detail.findChildren(QPushButton) if "Diminished" in b.text())
    review.click(other)
    assert review.value("breath").status is PROPOSED
    review.click(review.window.page.detail.accept)
    review.until_status("breath", EDITED)
    assert review.value("breath").value == ("Diminished",)


def test_a_decision_can_be_reviewed_again(review: Ward) -> None:
    review.key(Qt.Key.Key_R)
    review.until_status("hr", REJECTED)
    review.choose("hr")
    review.click(review.window.page.detail.reopen)
    review.until_status("hr", PROPOSED)


def test_doubts_about_the_transcript_stand_above_it(new_ward: Callable[..., Ward]) -> None:
    """A damaged recording must not look like a complete one."""
    engine = FakeEngine()
    engine.doubts = ("The recording is damaged; what could be read ends early.",)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    assert ward.window.page.words.doubts.isVisible()
    assert "damaged" in ward.window.page.words.doubts.text()
    ward.open_text("other.txt")
    ward.until_filled("other.txt")
    assert not ward.window.page.words.doubts.isVisible()


def test_status_is_an_icon_a_colour_and_a_word(review: Ward) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status("hr", CONFIRMED)
    view = review.window.page.flowsheet
    index = view._model.index_of(review.value("hr").id)
    assert view._model.data(index.siblingAtColumn(Column.STATUS)) == "Confirmed"
    rect = view.visualRect(index.siblingAtColumn(Column.STATUS))
    image = view.viewport().grab(rect).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert review.theme.colour("confirmed").name() in colours
    assert review.theme.colour("confirmed_soft").name() in colours


def test_clicking_words_chooses_their_value(review: Ward) -> None:
    transcript = review.window.page.words.transcript
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.toPlainText().index("nasal cannula") + 4)
    place = transcript.cursorRect(cursor).center() + QPoint(1, 0)
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert current_row(review) == "device"
    assert transcript.lit_text() == "nasal cannula"


def test_adding_a_row_by_another_name(review: Ward) -> None:
    def add(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "family bedside")
        assert dialog.results.count() == 1
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Y)  # type: ignore[arg-type]
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)  # type: ignore[arg-type]

    review.in_dialog(lambda: review.key(Qt.Key.Key_F, CTRL), add)
    review.until(lambda: len(review.values()) == 19)
    assert review.value("visitors").status is ADDED
    assert review.value("visitors").value is True
    assert current_row(review) == "visitors"
    review.key(Qt.Key.Key_Z, CTRL)
    review.until(lambda: len(review.values()) == 18)


def test_a_row_that_has_a_value_is_not_added_twice(review: Ward) -> None:
    def look(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "pain score")
        assert "Go to value" in dialog.add.text().replace("&", "")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)

    review.in_dialog(lambda: review.click(review.window.page.head.add), look)
    assert current_row(review) == "pain"
    assert len(review.values()) == 18


def test_the_search_finds_nothing_in_plain_words(review: Ward) -> None:
    def look(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "zzz")
        assert dialog._title.text() == "No row found"
        assert not dialog.add.isEnabled()

    review.in_dialog(lambda: review.click(review.window.page.head.add), look)


def test_only_what_was_confirmed_is_exported(review: Ward, tmp_path: Path) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status("hr", CONFIRMED)
    review.key(Qt.Key.Key_R)
    review.until_status("rhythm", REJECTED)
    out = tmp_path / "out"
    out.mkdir()

    def export(dialog: Any) -> None:
        words = " ".join(line for line, _ in dialog.summary)
        assert "1 value that you accepted" in words
        assert "16 values are not reviewed and are left out" in words
        assert "1 rejected" in words
        dialog.folder.setText(str(out))
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        review.until(lambda: dialog.written.isVisible())
        assert dialog.folder.text() == str(out)
        assert all(path.name in dialog.written.text() for path in out.iterdir())
        assert dialog.open_folder.isVisible()

    review.in_dialog(lambda: review.key(Qt.Key.Key_E, CTRL), export)
    files = sorted(out.iterdir())
    assert [path.suffix for path in files] == [".csv", ".json"]
    with files[0].open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["row_id"] for row in rows] == ["hr"]
    assert "Hawthorne" in json.dumps(json.loads(files[1].read_text(encoding="utf-8")))


def test_an_export_that_fails_says_why_in_its_dialog(review: Ward, tmp_path: Path) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status("hr", CONFIRMED)
    (tmp_path / "file").write_text("in the way")

    def export(dialog: Any) -> None:
        dialog.folder.setText(str(tmp_path / "file" / "sub"))
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        review.until(lambda: dialog._error.isVisible())
        assert dialog.export.isEnabled()

    review.in_dialog(lambda: review.key(Qt.Key.Key_E, CTRL), export)


def test_everything_is_there_again_the_next_day(review: Ward, new_ward: Callable[..., Ward]) -> None:
    review.key(Qt.Key.Key_A)
    review.until_status("hr", CONFIRMED)
    review.close()
    again = new_ward()
    again.until_review()
    assert again.value("hr").status is CONFIRMED
    assert "Hawthorne, Ada" in again.window.banner.patient_text
    assert current_row(again) == "skin"
    assert again.window.actions_["undo"].isEnabled()


def test_visible_buttons_have_tips_names_and_keys_of_their_own(review: Ward) -> None:
    buttons = [b for b in review.window.findChildren(QPushButton) if b.isVisible()]
    assert len(buttons) >= 7
    for button in buttons:
        assert button.toolTip(), button.text()
        assert button.text() or button.accessibleName()
    letters = [b.text()[b.text().index("&") + 1].lower() for b in buttons if "&" in b.text()]
    letters += [a.text()[a.text().index("&") + 1].lower() for a in review.window.menuBar().actions()]
    assert len(letters) == len(set(letters)), letters
    unnamed = [
        type(w).__name__
        for kind in (QLineEdit, QComboBox, QListWidget)
        for w in review.window.findChildren(kind)
        if w.isVisible() and not w.accessibleName()
    ]
    assert not unnamed
    inside = [button for field in review.window.findChildren(QLineEdit) for button in field.findChildren(QToolButton)]
    assert len(inside) >= 2
    assert all(QAccessible.queryAccessibleInterface(one).text(QAccessible.Text.Name) for one in inside)
