"""The user guide and the search for a command: what somebody finds who does not know the window."""

from __future__ import annotations

import re
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import resources
from app.chart.records import ReviewStatus
from tests.gui.conftest import Ward, lay_out
from ui.dialogs.user_guide import UserGuide, guide_text

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def guide(ward: Ward) -> UserGuide:
    ward.key(Qt.Key.Key_F1, CTRL)
    (guide,) = ward.window.findChildren(UserGuide)
    ward.until(guide.isVisible)
    return guide


def top_line(guide: UserGuide) -> str:
    lay_out()
    return guide.text.cursorForPosition(QPoint(12, 24)).block().text()


def test_the_guide_is_what_the_documents_say_without_pictures(guide: UserGuide) -> None:
    text = resources.USER_GUIDE.read_text(encoding="utf-8")
    titles = re.findall(r"^#{2,} (.+)$", text, re.MULTILINE)
    assert [guide.contents.item(place).text() for place in range(guide.contents.count())] == titles
    shown = guide.text.toPlainText()
    assert "![" not in shown
    assert ".md" not in shown
    assert len(shown) > 0.8 * len(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text))


def test_the_contents_and_links_lead_to_their_headings(guide: UserGuide) -> None:
    guide.contents.setCurrentRow(guide.contents.count() // 2)
    assert top_line(guide) == guide.contents.currentItem().text()
    links = set(re.findall(r"\]\(#([^)]+)\)", guide_text()))
    assert links
    for link in links:
        guide.contents.setCurrentRow(0)
        guide.text.anchorClicked.emit(QUrl(f"#{link}"))
        assert guide.contents.currentItem().text().lower().replace(" ", "-") == link


def test_words_are_found_in_the_guide_again_and_again(guide: UserGuide) -> None:
    QTest.keyClick(guide, Qt.Key.Key_F, CTRL)
    assert guide.words.hasFocus()
    QTest.keyClicks(guide.words, "conflict")
    first = guide.text.textCursor().position()
    assert guide.text.textCursor().selectedText().lower() == "conflict"
    QTest.keyClick(guide.words, Qt.Key.Key_Return)
    assert guide.text.textCursor().position() > first
    guide.words.setText("xylophone")
    assert guide.found.text() == "Not found"
    guide.words.setText("")
    assert guide.found.text() == ""


def test_the_guide_stays_open_beside_the_window_and_opens_once(ward: Ward, guide: UserGuide) -> None:
    ward.window.activateWindow()
    QTest.keyClick(QApplication.focusWidget() or ward.window, Qt.Key.Key_F1, CTRL)
    assert ward.window.findChildren(UserGuide) == [guide]
    QTest.keyClick(guide, Qt.Key.Key_Escape)
    assert not guide.isVisible()


# commands


def commands(dialog: Any) -> list[str]:
    return [dialog.list.item(place).text() for place in range(dialog.list.count())]


def test_a_command_is_found_by_its_words_and_done(review: Ward) -> None:
    review.choose("hr")

    def find(dialog: Any) -> None:
        assert "Accept and go to next: Heart rate   (Enter, A)" in commands(dialog)
        QTest.keyClicks(dialog.words, "rej")
        assert commands(dialog) == ["Reject: Heart rate   (R, Del)"]
        QTest.keyClick(dialog.words, Qt.Key.Key_Return)

    review.in_dialog(lambda: review.key(Qt.Key.Key_K, CTRL), find)
    review.until_status("hr", ReviewStatus.REJECTED)


def test_what_cannot_be_done_now_is_not_offered(ward: Ward) -> None:
    def find(dialog: Any) -> None:
        assert not [line for line in commands(dialog) if line.startswith(("Reject", "Undo", "Sign and file"))]
        QTest.keyClicks(dialog.words, "reject")
        assert commands(dialog) == ["No matching command. Unavailable commands are hidden."]
        QTest.keyClick(dialog.words, Qt.Key.Key_Return)
        assert dialog.isVisible()
        dialog.words.setText("")
        QTest.keyClick(dialog.words, Qt.Key.Key_Up)
        assert dialog.list.currentRow() == 0
        QTest.keyClick(dialog.words, Qt.Key.Key_Down)
        assert dialog.list.currentRow() == 1
        QTest.keyClick(dialog.words, Qt.Key.Key_Escape)

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_K, CTRL), find)
