"""Reviewing and filing by keys alone, counted; the list of all keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import CTRL, FIFTEEN, MOST_PRESSES, SHIFT, Hands, filed
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from ui.kit.keys import FLOWSHEET_KEYS, keys_of
from ui.shell.window import COMFORTABLE

CONFIRMED, EDITED, PROPOSED = ReviewStatus.CONFIRMED, ReviewStatus.EDITED, ReviewStatus.PROPOSED


@pytest.fixture
def case(new_ward: Callable[..., Ward], calibrated: None, out: Path) -> Ward:
    """Fifteen values to review, three of them lit."""
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("case.txt", FIFTEEN)
    ward.until_review(15)
    return ward


def test_fifteen_values_with_three_lit_are_reviewed_and_filed_in_twelve_presses(case: Ward, out: Path) -> None:
    assert case.window.page.flowsheet.lit == 3
    assert case.window.page.flowsheet.hasFocus()
    hands = Hands(case)
    hands.press(Qt.Key.Key_1, Qt.Key.Key_Return)  # corrected by the number of another reading
    hands.press(Qt.Key.Key_A)  # accepted
    hands.press(Qt.Key.Key_E, Qt.Key.Key_3, Qt.Key.Key_7, Qt.Key.Key_Return)  # edited
    hands.press(Qt.Key.Key_A, modifiers=SHIFT)  # the rest
    hands.press(Qt.Key.Key_F)  # filed, though nobody waited for the disk in between
    case.until(lambda: filed(case))
    print(f"{hands.pressed} key presses")
    assert hands.pressed <= MOST_PRESSES
    (written,) = out.glob("*.json")
    records = {record["row_id"]: record for record in json.loads(written.read_text(encoding="utf-8"))["records"]}
    assert len(records) == 15
    assert (records["device"]["value"], records["device"]["status"]) == ("Simple mask", "edited")
    assert (records["temp"]["value"], records["temp"]["status"]) == (37.0, "edited")
    assert records["foley"]["status"] == "confirmed"
    assert {record["status"] for row, record in records.items() if row not in ("device", "temp")} == {"confirmed"}
    assert "Filed" in case.window.page.filed.words.text()
    assert case.window.page.filed.isVisible()


def test_the_first_filing_asks_where_to_and_the_next_does_not(case: Ward, tmp_path: Path) -> None:
    case.workbench.workspace.settings = replace(case.workbench.settings.current, file_folder="")
    elsewhere = tmp_path / "elsewhere"

    def answer(dialog: Any) -> None:
        dialog.folder.setText(str(elsewhere))
        dialog.formats["csv"].setChecked(False)
        QTest.keyClick(dialog.folder, Qt.Key.Key_Return)

    accept_everything(case)

    def file() -> None:
        case.key(Qt.Key.Key_F)
        case.until(lambda: filed(case))

    case.in_dialog(file, answer)
    assert [path.suffix for path in elsewhere.iterdir()] == [".json"]
    case.until(lambda: load_settings(paths.config_file()).file_folder == str(elsewhere))
    assert load_settings(paths.config_file()).file_format == "json"
    case.key(Qt.Key.Key_U)
    case.until(lambda: not filed(case))
    case.key(Qt.Key.Key_F)
    case.until(lambda: filed(case))
    assert len(list(elsewhere.iterdir())) == 2, "no file is ever overwritten"


def accept_everything(ward: Ward) -> None:
    accept_everything_but(ward)


def accept_everything_but(ward: Ward, *rows: str) -> None:
    """By keys; rows of which a change was begun wait."""
    while ward.window.page.flowsheet.lit:
        left = ward.window.page.flowsheet.lit
        ward.key(Qt.Key.Key_A)
        ward.until(lambda left=left: ward.window.page.flowsheet.lit < left)
    ward.key(Qt.Key.Key_A, SHIFT)
    ward.until(lambda: {value.row_id for value in ward.values() if value.status is PROPOSED} == set(rows))


def test_unchecked_lit_values_stop_filing_and_are_selected(case: Ward, out: Path) -> None:
    case.key(Qt.Key.Key_A)
    case.until_status("device", CONFIRMED)
    case.choose("hr")
    case.key(Qt.Key.Key_F)
    words = "Not filed: 2 flagged values are not reviewed (Temperature, Urinary catheter placed)."
    case.until(lambda: case.window.message.text.startswith(words))
    assert case.window.page.current
    assert case.window.page.current.row_id == "foley"
    assert not filed(case)
    assert not out.exists()
    case.key(Qt.Key.Key_A)
    case.key(Qt.Key.Key_A)
    case.key(Qt.Key.Key_F)  # the decisions are still on their way to the disk
    case.until(lambda: "Not filed: 12 values are not reviewed" in case.window.message.text)
    assert not filed(case)


def test_a_folder_that_cannot_be_written_is_said_and_another_is_offered(case: Ward, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    case.workbench.workspace.settings = replace(case.workbench.settings.current, file_folder=str(tmp_path / "file"))
    accept_everything(case)
    case.key(Qt.Key.Key_F)
    case.until(lambda: "cannot be written" in case.window.message.text)
    assert not filed(case)

    def answer(dialog: Any) -> None:
        dialog.folder.setText(str(tmp_path / "other"))
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)

    case.in_dialog(lambda: case.click(case.window.message.act), answer)
    case.until(lambda: filed(case))
    assert len(list((tmp_path / "other").iterdir())) == 2


def test_what_is_filed_stays_as_it_is_until_it_is_reopened(case: Ward) -> None:
    accept_everything(case)
    case.key(Qt.Key.Key_F)
    case.until(lambda: filed(case))
    page, before = case.window.page, case.values()
    case.choose("hr")
    for key in (Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_E, Qt.Key.Key_1, Qt.Key.Key_F):
        case.key(key)
    case.until_idle()
    assert case.values() == before
    assert filed(case)
    for widget in (
        page.detail.accept,
        page.detail.reject,
        page.detail.reopen,
        page.head.accept_all,
        page.head.file,
        page.head.add,
    ):
        assert not widget.isVisible()
    assert page.detail.editor
    assert not page.detail.editor.isEnabled()
    case.key(Qt.Key.Key_Z, CTRL)
    case.until(lambda: not filed(case))
    case.until(lambda: "Reopened." in case.window.message.text)
    assert case.values() == before, "the first undo reopens, and takes no decision back"
    page.flowsheet.setFocus()
    case.choose("hr")
    case.key(Qt.Key.Key_R)
    case.until_status("hr", ReviewStatus.REJECTED)


def test_what_was_just_rejected_is_not_accepted_with_the_rest(case: Ward) -> None:
    case.choose("hr")
    case.key(Qt.Key.Key_R)
    case.key(Qt.Key.Key_A, SHIFT)  # before the rejection has reached the disk
    case.until(lambda: sum(value.status is CONFIRMED for value in case.values()) == 11)
    assert case.value("hr").status is ReviewStatus.REJECTED


def test_a_change_that_was_begun_is_neither_swept_up_nor_filed_away(case: Ward) -> None:
    case.choose("hr")
    case.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    case.type("118")
    case.choose("device")
    accept_everything_but(case, "hr")
    assert case.value("hr").status is PROPOSED
    case.key(Qt.Key.Key_F)
    case.until(lambda: "Your change to Heart rate is not saved" in case.window.message.text)
    assert case.window.page.detail.unsaved
    case.key(Qt.Key.Key_E)
    case.key(Qt.Key.Key_Return)
    case.until_status("hr", EDITED)
    case.key(Qt.Key.Key_F)
    case.until(lambda: filed(case))


# the list of keys


@pytest.fixture
def overlay(case: Ward) -> QWidget:
    case.key(Qt.Key.Key_Question)
    assert case.window.keys.isVisible()
    return case.window.keys


def test_every_action_has_a_key_and_is_in_the_list(case: Ward) -> None:
    listed = {words: keys for _, words, keys in case.window.keys.rows()}
    for words, keys in {
        "Accept and go to next": ("Enter", "A"),
        "Reject": ("R", "Del"),
        "Edit": ("E", "F2"),
        "Choose another reading": ("1 to 9",),
        "Play what was said": ("Space",),
        "Next flagged": ("L",),
        "Accept the rest": ("Shift+A", "Ctrl+Shift+A"),
        "Undo": ("U", "Ctrl+Z"),
        "Sign and file": ("F", "Ctrl+Enter"),
        "Earlier assessments": ("H",),
        "List of patients": ("B", "Ctrl+L"),
        "Record": ("F9",),
        "Keys": ("?", "F1"),
    }.items():
        assert listed[words] == keys, words
    free = {"System", "Same as system", "Light", "Dark", "High contrast", "Set up Wardlight…", "About Wardlight"}
    # rare, and each in a menu that the Menu key opens on the patient or the dictation
    free |= {"Edit…", "Transfer to another bed…", "Discharge…", "Readmit…", "Change the time…", "Import the ward list…"}
    free |= {
        "Import from your record system…",
        "Row catalogue…",
        "What has no row…",
    }  # what an informatics nurse does a few times a year
    without = {
        action.text().replace("&", "")
        for actions in case.window.actions_.groups.values()
        for action in actions
        if not keys_of(action)
    }
    assert without <= free
    keys = [key for _, _, several in case.window.keys.rows() for key in several]
    assert len(keys) == len(set(keys)), "no key means two things"
    assert {key for several in FLOWSHEET_KEYS.values() for key in several} <= set(keys)


def test_the_list_follows_the_settings(case: Ward) -> None:
    case.window.settings.save(replace(case.workbench.settings.current, record_key="F13"))
    case.until(lambda: ("F13",) in [keys for _, _, keys in case.window.keys.rows()])
    listed = {words: keys for _, words, keys in case.window.keys.rows()}
    assert listed["Pause the recording"] == ("Shift+F13",)


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Question, Qt.Key.Key_F1])
def test_the_list_opens_and_closes_and_gives_the_keyboard_back(case: Ward, overlay: QWidget, key: Qt.Key) -> None:
    case.key(Qt.Key.Key_A)
    case.key(Qt.Key.Key_Z, CTRL)
    case.key(Qt.Key.Key_Tab)
    assert overlay.hasFocus()
    assert all(value.status is PROPOSED for value in case.values()), "no other key does anything"
    case.key(key)
    assert not overlay.isVisible()
    assert case.window.page.flowsheet.hasFocus()


def test_a_click_outside_the_list_closes_it(case: Ward, overlay: QWidget) -> None:
    QTest.mouseClick(overlay, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert not overlay.isVisible()


def test_letters_and_question_marks_in_an_editor_stay_what_they_are(case: Ward) -> None:
    case.choose("skin")
    case.key(Qt.Key.Key_E)
    editor = QApplication.focusWidget()
    case.type("file laps kub h?")
    assert "file laps kub h?" in editor.toPlainText()  # type: ignore[union-attr]
    case.key(Qt.Key.Key_A, SHIFT)
    assert all(value.status is PROPOSED for value in case.values())
    assert not case.window.keys.isVisible()
    case.key(Qt.Key.Key_Escape)
    case.window.side.patients.search.setFocus()
    case.type("b?")
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    assert line.text() == "b?"
    assert not case.window.keys.isVisible()


def test_a_question_mark_in_the_empty_search_shows_the_keys(ward: Ward) -> None:
    window = ward.window
    assert window.side.patients.search.hasFocus(), "nothing was dictated yet"
    ward.key(Qt.Key.Key_Question)
    assert window.keys.isVisible()
    assert window.side.patients.search.text() == ""
    ward.key(Qt.Key.Key_Question)
    assert not window.keys.isVisible()
    assert window.side.patients.search.hasFocus()
    ward.type("is it 4?")
    assert window.side.patients.search.text() == "is it 4?"
    assert not window.keys.isVisible()


@pytest.mark.parametrize("size", [COMFORTABLE, QSize(683, 384), QSize(480, 320)], ids=["usual", "small", "least"])
def test_the_list_has_room_in_any_window(case: Ward, size: QSize) -> None:
    case.key(Qt.Key.Key_Question)
    case.window.resize(size)
    lay_out()
    card = case.window.keys._card
    assert card.width() >= case.window.keys._content.sizeHint().width()
    assert case.window.keys.rect().contains(card.geometry())
    assert case.window.keys._content.width() <= case.window.keys._scroll.viewport().width()


def test_the_first_filing_asks_for_the_folder(case: Ward) -> None:
    case.workbench.workspace.settings = replace(case.workbench.settings.current, file_folder="")
    accept_everything(case)
    seen: list[int] = []

    def look(dialog: Any) -> None:
        dialog.folder.setText("/home/nurse/Documents/Chart files")
        lay_out()
        seen.append(dialog.width())
        dialog.reject()

    def file() -> None:
        case.key(Qt.Key.Key_F)
        case.until(lambda: seen)

    case.in_dialog(file, look)
    assert seen[0] >= 560
    assert not filed(case), "nothing was chosen"
