"""A filed sheet looks filed, offers nothing to decide or edit, and says why a key does nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from app.chart.records import ReviewedValue
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import CTRL, NONE, SHIFT
from tests.gui.hands import filed as is_filed

TOLD = "This sheet is filed. Reopen it to change it (Ctrl+R)."
DECIDING = [
    (Qt.Key.Key_A, NONE),
    (Qt.Key.Key_Return, NONE),
    (Qt.Key.Key_R, NONE),
    (Qt.Key.Key_Delete, NONE),
    (Qt.Key.Key_E, NONE),
    (Qt.Key.Key_F2, NONE),
    (Qt.Key.Key_1, NONE),
    (Qt.Key.Key_K, NONE),
    (Qt.Key.Key_P, NONE),
    (Qt.Key.Key_F, NONE),
    (Qt.Key.Key_A, SHIFT),
    (Qt.Key.Key_A, CTRL | SHIFT),
    (Qt.Key.Key_F, CTRL),
    (Qt.Key.Key_Return, CTRL),
    (Qt.Key.Key_Return, CTRL | SHIFT),
]


@pytest.fixture
def filed(out: Path, review: Ward) -> Ward:
    """A sheet of which everything was accepted and filed, at the heart rate."""
    page = review.window.page
    assert page.sheet
    review.window.review.watch(
        review.workbench.review.decide(page.sheet, [value.id for value in review.values()], "confirm")
    )
    review.until(lambda: all(value.stands for value in review.values()))
    review.key(Qt.Key.Key_F)
    review.until(lambda: is_filed(review))
    review.choose("hr")
    review.window.message.close_message()
    return review


def test_every_key_that_would_decide_or_edit_says_that_the_sheet_is_filed(filed: Ward) -> None:
    before: tuple[ReviewedValue, ...] = filed.values()
    for key, modifiers in DECIDING:
        filed.choose("hr")
        filed.window.message.close_message()
        filed.key(key, modifiers)
        filed.until(lambda: filed.window.message.text == TOLD)
    assert filed.values() == before
    assert is_filed(filed)


def test_a_double_click_says_so_too(filed: Ward) -> None:
    view = filed.window.page.flowsheet
    place = view.visualRect(view.currentIndex()).center()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    filed.until(lambda: filed.window.message.text == TOLD)


def test_keys_that_only_look_say_nothing(filed: Ward) -> None:
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_H):
        filed.key(key)
    assert "filed" not in filed.window.message.text


def test_the_value_is_shown_as_text_and_not_in_an_editor(filed: Ward) -> None:
    detail = filed.window.page.detail
    assert detail.editor
    assert not detail.editor.isVisible()
    assert not detail.observed.time.isVisible()
    assert detail.locked.isVisible()
    assert "112 /min" in detail.locked.words.text()
    buttons = (detail.accept, detail.reject, detail.reopen, detail.keep_other, detail.replace_other)
    assert not any(button.isVisible() for button in buttons)


def test_the_head_says_who_filed_when_and_how_to_reopen(filed: Ward) -> None:
    bar = filed.window.page.filed
    assert bar.words.text().startswith("Filed by R. Nurse at ")
    assert "read-only" in bar.words.text()
    assert "Reopen" in bar.reopen.text()
    assert "Ctrl+R" in bar.reopen.toolTip()
    assert filed.window.page.flowsheet.locked


def test_ctrl_r_reopens_and_the_editor_is_back(filed: Ward) -> None:
    filed.key(Qt.Key.Key_A)
    filed.until(lambda: filed.window.message.text == TOLD)
    filed.key(Qt.Key.Key_R, CTRL)
    filed.until(lambda: not is_filed(filed))
    filed.choose("hr")
    detail = filed.window.page.detail
    assert detail.editor
    assert detail.editor.isVisible()
    assert detail.editor.isEnabled()
    assert not detail.locked.isVisible()
    assert not filed.window.page.flowsheet.locked
    assert TOLD not in filed.window.message.text


def test_the_message_goes_when_another_dictation_is_shown(filed: Ward, new_ward: Callable[..., Ward]) -> None:
    filed.key(Qt.Key.Key_A)
    filed.until(lambda: filed.window.message.text == TOLD)
    filed.open_text("evening.txt")
    filed.until_filled("evening.txt")
    lay_out()
    assert TOLD not in filed.window.message.text


def test_what_was_not_charted_can_still_be_read_and_not_added(filed: Ward) -> None:
    section = filed.window.page.leftovers.uncharted
    filed.key(Qt.Key.Key_N, CTRL)
    assert section.list.isVisible()
    assert section.list.model().rowCount() > 0
    assert not section.act.isEnabled()
    before = filed.values()
    filed.key(Qt.Key.Key_Return)
    filed.until(lambda: filed.window.message.text == TOLD)
    assert filed.values() == before
    filed.key(Qt.Key.Key_Escape)
    assert not section.opened


def test_the_folder_is_shown_and_u_still_reopens(filed: Ward, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def show(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    filed.click(filed.window.page.filed.open_folder)
    assert shown == [str(out)]
    filed.key(Qt.Key.Key_U)
    filed.until(lambda: not is_filed(filed))


@pytest.mark.parametrize("gone", [True, False])
def test_a_folder_that_cannot_be_shown_is_told(
    filed: Ward, out: Path, monkeypatch: pytest.MonkeyPatch, *, gone: bool
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    if gone:
        out.rename(out.with_name("elsewhere"))
    filed.click(filed.window.page.filed.open_folder)
    what = "is not there any more" if gone else "no program that shows folders"
    filed.until(lambda: what in filed.window.message.text)
    assert str(out) in filed.window.message.text
