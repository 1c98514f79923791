"""A nurse charts that something was tried and not obtained: on a row, and for words that are not charted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chart.records import ReviewStatus
from extraction.flowsheet.values import NotObtained
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import TEXT, FakeEngine
from ui.dialogs.add_row import AddRowDialog
from ui.kit.question import Question

CTRL = Qt.KeyboardModifier.ControlModifier
SAID = "Temp refused."


def because(reason: str, picture: Path | None = None) -> Callable[[Question], None]:
    """Answers the question with this reason."""

    def answer(question: Question) -> None:
        (chosen,) = (one for words, one in question.buttons.items() if words.replace("&", "") == reason)
        if picture:
            question.grab().save(str(picture))
        QTest.mouseClick(chosen, Qt.MouseButton.LeftButton)

    return answer


def test_a_row_is_charted_as_not_obtained_and_undone(review: Ward, tmp_path: Path) -> None:
    page = review.window.page
    review.choose("hr")
    before = review.value("hr")
    review.in_dialog(lambda: review.key(Qt.Key.Key_N), because("Refused", tmp_path / "why.png"))
    review.until(lambda: review.value("hr").status is ReviewStatus.EDITED)
    assert review.value("hr").value is NotObtained.REFUSED
    assert review.value("hr").unit is None
    assert page.current
    assert page.current.row_id != "hr", "the next value is shown"
    review.choose("hr")
    lay_out()
    review.window.resize(1366, 768)
    lay_out()
    review.window.grab().save(str(tmp_path / "charted.png"))
    assert page.detail.editor
    assert page.detail.editor.value() is None
    assert page.detail._status.text() == "Edited · not obtained: refused"
    page.show_last_look("R. Nurse")
    shown = [page.looks.last_look.values.item(place).text() for place in range(page.looks.last_look.values.count())]
    assert [line for line in shown if "Not obtained: refused" in line]
    page.leave_look()
    review.key(Qt.Key.Key_U)
    review.until(lambda: review.value("hr").status is ReviewStatus.PROPOSED)
    assert review.value("hr").value == before.value


def test_a_question_that_is_left_changes_nothing(review: Ward) -> None:
    review.choose("hr")
    review.in_dialog(lambda: review.key(Qt.Key.Key_N), lambda question: QTest.keyClick(question, Qt.Key.Key_Escape))
    assert review.value("hr").status is ReviewStatus.PROPOSED
    assert not review.window.page.sheet or not review.window.page.sheet.can_undo


def test_a_value_takes_the_place_of_what_was_not_obtained(review: Ward) -> None:
    review.choose("hr")
    review.in_dialog(lambda: review.key(Qt.Key.Key_N), because("Not done"))
    review.until(lambda: review.value("hr").value is NotObtained.NOT_DONE)
    review.choose("hr")
    review.key(Qt.Key.Key_E)
    assert review.window.page.detail.editor
    QTest.keyClicks(review.window.page.detail.editor.fields[0], "88")
    QTest.keyClick(review.window.page.detail.editor.fields[0], Qt.Key.Key_Return)
    review.until(lambda: review.value("hr").value == 88.0)
    assert not isinstance(review.value("hr").value, NotObtained)


def test_words_that_are_not_charted_become_a_row_that_was_not_obtained(
    new_ward: Callable[..., Ward], tmp_path: Path
) -> None:
    engine = FakeEngine()
    engine.heard = f"{TEXT} {SAID}"
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    before = len(ward.values())
    transcript = ward.window.page.words.transcript
    ward.key(Qt.Key.Key_N, CTRL)
    while transcript.lit_text() != SAID:
        ward.key(Qt.Key.Key_Down)

    def add(dialog: AddRowDialog) -> None:
        QTest.keyClicks(dialog.search, "visitors")
        lay_out()
        dialog.grab().save(str(tmp_path / "add.png"))
        assert dialog.not_obtained.isEnabled()
        ward.in_dialog(
            lambda: QTest.mouseClick(dialog.not_obtained, Qt.MouseButton.LeftButton), because("Unable to assess")
        )

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Return), add)
    ward.until(lambda: len(ward.values()) == before + 1)
    added: Any = ward.value("visitors")
    assert (added.status, added.value) == (ReviewStatus.ADDED, NotObtained.UNABLE)
    assert added.quote.text == SAID
    ward.key(Qt.Key.Key_Z, CTRL)
    ward.until(lambda: len(ward.values()) == before)
