"""A dictation in which no value was found: it says so, says what to do, and is never filed by one plain press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.services.engine.job_lanes import JobKind
from tests.gui.conftest import Ward, lay_out

SAID = "She asked for another blanket and would like to talk to her daughter tonight."


@pytest.fixture
def empty(out: Path, new_ward: Callable[..., Ward]) -> Ward:
    """At a dictation without a value, with a folder to file into."""
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.open_text("evening.txt", SAID)
    ward.until(lambda: ward.window.page.reviewable and not ward.window.strip.isVisible())
    ward.until(lambda: ward.window.side.recent.count() == 1)
    return ward


def is_filed(ward: Ward) -> bool:
    """Whether it is filed, once every job so far is done."""
    ward.workbench.workspace.sheets.submit(JobKind("settle"), None, lambda _: None)
    ward.until(lambda: not ward.workbench.workspace.sheets.jobs)
    lay_out()
    sheet = ward.window.page.sheet
    assert sheet
    return ward.workbench.workspace.store.filings.of(sheet.dictation.id) is not None


def test_the_lists_say_that_no_values_were_found(empty: Ward) -> None:
    empty.until(lambda: "No values found" in "".join(empty.window.side.patients.texts()))
    assert "not filed" not in "".join(empty.window.side.patients.texts())
    item = empty.window.side.recent.item(0)
    assert item.data(Qt.ItemDataRole.AccessibleTextRole).endswith("No values found")


def test_the_sheet_says_what_to_do_next(empty: Ward) -> None:
    notice = empty.window.page.no_values
    assert notice.isVisible()
    told = notice.text
    for words in ("No values found", "transcript", "Add a row", "ictate", "Delete"):
        assert words in told, words
    assert empty.window.page.words.transcript.isVisible()
    assert not empty.window.page.flowsheet.isVisible(), "an empty table looks as if it were read and had nothing"
    assert "0 of 0" not in empty.window.page.head.count.text()


def test_the_keyboard_is_on_adding_a_row(empty: Ward) -> None:
    add = empty.window.page.no_values.add
    assert add.hasFocus()
    empty.in_dialog(lambda: empty.key(Qt.Key.Key_Space), lambda dialog: None)


def test_one_press_asks_and_a_second_one_files(empty: Ward) -> None:
    empty.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    empty.until(lambda: "No values to chart" in empty.window.message.text)
    empty.until(lambda: "sign without values?" in empty.window.message.text)
    assert not is_filed(empty)
    empty.click(empty.window.message.act)
    empty.until(lambda: is_filed(empty))


@pytest.mark.parametrize("leave", ["close", "look elsewhere"])
def test_a_question_that_was_left_is_asked_again(empty: Ward, leave: str) -> None:
    empty.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    empty.until(lambda: "No values to chart" in empty.window.message.text)
    if leave == "close":
        empty.click(empty.window.message.dismiss)
    else:
        empty.window.message.show_message("info", "Something else.")
    empty.key(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    empty.until(lambda: "No values to chart" in empty.window.message.text)
    assert not is_filed(empty)


def test_holding_the_keys_does_not_answer_the_question(empty: Ward) -> None:
    empty.hold(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, seconds=0.5)
    empty.until(lambda: "No values to chart" in empty.window.message.text)
    assert not is_filed(empty)


def test_an_added_row_shows_the_flowsheet_again(empty: Ward) -> None:
    page = empty.window.page
    assert page.sheet
    page.decisions.add_value(page.sheet.schema.row("hr"), 88.0, "/min")
    empty.until(lambda: len(empty.values()) == 1)
    assert page.flowsheet.isVisible()
    assert not page.no_values.isVisible()
    empty.key(Qt.Key.Key_F)
    empty.until(lambda: is_filed(empty))
