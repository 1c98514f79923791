"""Dialogs and windows on screens that are smaller than they are."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from extraction.schema_files.native_format import load_schema
from models.base.progress import Progress, ProgressMonitor, stop_if
from speech.levels import Verdict
from tests.end_to_end.conftest import DEMO_SCHEMA
from tests.gui.conftest import NARROW, Ward, give_room, lay_out
from tests.gui.shell.view_checks import clipped
from tests.kit.fake_app import FakeEngine, until_cancelled
from ui.dialogs.add_row import AddRowDialog
from ui.dialogs.patient import PatientDialog
from ui.kit.responsive_layout import Scrolled, fit_to_screen
from ui.shell.window import COMFORTABLE

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QDialog:
    """Thirty fields and a button, on a small screen."""
    give_room(monkeypatch, QSize(600, 300))
    dialog = QDialog()
    qtbot.addWidget(dialog)
    layout = QVBoxLayout(dialog)
    for _ in range(30):
        layout.addWidget(QLineEdit())
    layout.addWidget(QPushButton("Save"))
    return dialog


def seen(widget: QWidget) -> bool:
    return widget.visibleRegion().boundingRect().size() == widget.size()


def test_what_is_too_high_for_the_screen_scrolls_and_follows_the_cursor(dialog: QDialog) -> None:
    fit_to_screen(dialog)
    dialog.show()
    dialog.activateWindow()
    lay_out()
    assert dialog.height() <= 300
    fields, save = dialog.findChildren(QLineEdit), dialog.findChildren(QPushButton)[0]
    assert seen(fields[0])
    assert not seen(save)
    fields[0].setFocus()
    for _ in range(30):
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus
        assert seen(focus)
    assert focus is save
    fields[2].setFocus()  # not by Tab
    assert seen(fields[2])


def test_what_the_screen_has_room_for_is_left_alone(dialog: QDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    give_room(monkeypatch, QSize(1300, 2000))
    fit_to_screen(dialog)
    assert dialog.findChildren(Scrolled) == []


def test_the_patient_stays_in_sight_while_the_window_is_scrolled(review: Ward) -> None:
    window = review.window
    window.resize(480, 320)
    lay_out()
    bars = window.page.scrolled.horizontalScrollBar(), window.page.scrolled.verticalScrollBar()
    assert bars[1].maximum() > 0
    for bar in bars:
        bar.setValue(bar.maximum())
    lay_out()
    assert seen(window.banner)
    window.page.detail.edit()
    lay_out()
    focus = QApplication.focusWidget()
    assert focus
    assert seen(focus)


@pytest.fixture
def narrow(review: Ward) -> Ward:
    """A dictation waits for review in a narrow window."""
    review.window.resize(NARROW)
    review.window.page.flowsheet.setFocus()
    lay_out()
    return review


def visible(ward: Ward) -> dict[str, bool]:
    """Whether each of the buttons that decide is in sight as a whole."""
    detail = ward.window.page.detail
    return {one.text(): seen(one) for one in detail.decision.choices if not one.isHidden()}


def shown(ward: Ward) -> str:
    """The name of the file of the dictation shown."""
    sheet = ward.window.page.sheet
    return sheet.dictation.original_name if sheet else ""


@pytest.mark.parametrize("size", [QSize(1366, 768), COMFORTABLE, NARROW], ids=["screen", "comfortable", "narrow"])
@pytest.mark.parametrize("above", ["nothing", "work", "message", "recording", "reasons"])
def test_the_buttons_that_decide_never_leave_the_window(review: Ward, size: QSize, above: str) -> None:
    window = review.window
    window.resize(size)
    match above:
        case "work":
            review.engine.before_fill.append(until_cancelled)
            review.open_text("evening.txt")
            review.until(lambda: window.strip.isVisible() and shown(review) == "evening.txt")
            first = next(e for e in window.selection.overview.entries if e.dictation.original_name == "morning.wav")
            window.navigation.show_dictation(first.dictation.id)
            review.until(lambda: shown(review) == "morning.wav" and window.page.reviewable)
        case "message":
            window.message.show_message("warning", "Something happened. " * 9, "Do something. " * 9, action="&Do it")
        case "recording":
            review.key(Qt.Key.Key_F9)
            review.until(window.recorder.bar.isVisible)
            assert window.page.sheet
            window.navigation.show_dictation(window.page.sheet.dictation.id)
            review.until(lambda: window.page.isVisible())
        case "reasons":
            window.page.detail._reason_lines.setText("A reason to look at this value again.\n" * 30)
            window.page.detail._why.show()
    for place in range(3):
        lay_out()
        assert visible(review) == {"&Accept": True, "&Reject": True}
        bar = (window.page.scrolled, window.page.detail.details)[place % 2].verticalScrollBar()
        bar.setValue(bar.maximum())
    window.work.cancel()
    review.until(lambda: not window.strip.isVisible())


def test_details_scroll_only_if_there_is_no_room_and_the_words_stay_in_sight_above_them(review: Ward) -> None:
    window, page = review.window, review.window.page
    window.resize(1366, 768)
    for row_id in ("device", "hr", "temp"):
        review.choose(row_id)
        lay_out()
        assert page.detail.details.verticalScrollBar().maximum() == 0
        words = page.words.transcript
        assert page.sheet
        evidence = page.sheet.evidence_of(review.value(row_id))
        assert evidence
        place = words.cursorRect(words._cursor(evidence.start, evidence.start))
        assert words.viewport().rect().contains(place)


def test_what_a_long_name_asks_for_cuts_no_button(review: Ward) -> None:
    window = review.window
    window.page.detail.decision.ask_again()
    for size in (COMFORTABLE, NARROW):
        window.resize(size)
        lay_out()
        assert clipped(window) == []


def sideways(ward: Ward) -> int:
    areas = (ward.window._scrolled, ward.window.page.scrolled)
    return max(area.horizontalScrollBar().maximum() for area in areas)


@pytest.mark.parametrize("another_dictation", [False, True])
def test_whoever_is_recorded_is_read_whole_at_every_width(review: Ward, *, another_dictation: bool) -> None:
    window, bar = review.window, review.window.recorder.bar
    review.key(Qt.Key.Key_F9)
    review.until(bar.isVisible)
    bar.words.setVisible(another_dictation)
    stacked = []
    for width in (*range(NARROW.width(), 1400, 40), NARROW.width()):
        window.resize(width, 700)
        lay_out()
        assert bar._who.width() >= bar._who.sizeHint().width()
        assert sideways(review) == 0
        stacked.append(bar._who.y() + bar._who.height() <= bar.finish.y())
    widening, again_narrow = stacked[:-1], stacked[-1]
    assert widening == sorted(widening, reverse=True)
    assert again_narrow
    assert not widening[-1]


@pytest.mark.parametrize("size", [NARROW, QSize(1280, 800), QSize(1366, 768)], ids=str)
def test_what_is_wrong_with_the_sound_is_read_whole_and_moves_nothing(review: Ward, size: QSize) -> None:
    window, bar = review.window, review.window.recorder.bar
    window.resize(size)
    review.key(Qt.Key.Key_F9)
    review.until(bar.isVisible)
    bar.show_hint("A microphone")
    lay_out()
    height = bar.height()
    for verdict in Verdict:
        bar.show_hint(verdict, warning=True)
        lay_out()
        assert clipped(bar) == []
        assert bar._hint.heightForWidth(bar._hint.width()) <= bar._hint.height()
        assert bar.height() == height


def test_the_list_folds_in_a_narrow_window_and_unfolds_in_a_wide_one(narrow: Ward) -> None:
    window = narrow.window
    assert not window.side.isVisible()
    assert window.page._panes.stacked
    assert window.banner.list.isVisible()
    window.resize(COMFORTABLE)
    lay_out()
    assert window.side.isVisible()
    assert not window.page._panes.stacked
    assert not window.banner.list.isVisible()
    window.resize(1400, 800)
    lay_out()
    first, second = window.page._panes.sizes()
    assert 0.45 < first / second < 0.55


@pytest.mark.parametrize("how", ["B", "Ctrl+L", "Ctrl+Shift+L", "button"])
def test_the_folded_list_opens_over_the_values(narrow: Ward, how: str) -> None:
    window, keys = narrow.window, {"B": Qt.Key.Key_B}
    modifiers = {"Ctrl+L": CTRL, "Ctrl+Shift+L": CTRL | SHIFT}.get(how, Qt.KeyboardModifier.NoModifier)
    if how == "button":
        narrow.click(window.banner.list)
    else:
        narrow.key(keys.get(how, Qt.Key.Key_L), modifiers)
    assert window.side.isVisible()
    assert window.side.patients.search.hasFocus()
    assert sideways(narrow) == 0
    if how == "button":
        narrow.click(window.banner.list)
        assert not window.side.isVisible()
        narrow.click(window.banner.list)
        assert window.side.patients.search.hasFocus()
    window.page.flowsheet.setFocus()
    assert not window.side.isVisible(), "the person goes on with something else"


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_goes_round_in_the_list_that_lies_over_the_values(narrow: Ward, key: Qt.Key) -> None:
    window = narrow.window
    narrow.key(Qt.Key.Key_B)
    reached = []
    for _ in range(6):
        narrow.key(key)
        reached.append(QApplication.focusWidget())
    assert window.side.isVisible()
    assert {
        window.side.record,
        window.side.open,
        window.side.patients.search,
        window.side.patients.list,
        window.side.recent,
    } == set(reached)


def test_escape_and_a_chosen_patient_fold_the_list_away_again(narrow: Ward) -> None:
    window = narrow.window
    narrow.key(Qt.Key.Key_B)
    narrow.key(Qt.Key.Key_Escape)
    assert not window.side.isVisible()
    assert window.page.flowsheet.hasFocus()
    narrow.key(Qt.Key.Key_B)
    narrow.type("hawth")
    narrow.key(Qt.Key.Key_Return)
    assert not window.side.isVisible()
    assert window.page.flowsheet.hasFocus()
    narrow.key(Qt.Key.Key_B)
    item = window.side.recent.visualItemRect(window.side.recent.item(0)).center()
    QTest.mouseClick(window.side.recent.viewport(), Qt.MouseButton.LeftButton, pos=item)
    assert not window.side.isVisible()


def test_however_much_a_stage_reports_nothing_is_scrolled_sideways(narrow: Ward) -> None:
    said = "what the models report may be long " * 5

    def report(_: FakeEngine, monitor: ProgressMonitor) -> None:
        monitor.report(Progress("load", None, said))
        while not monitor.cancelled():
            time.sleep(0.005)
        stop_if(monitor.cancelled)

    narrow.engine.before_fill.append(report)
    narrow.open_recording("evening.wav")
    narrow.until(lambda: [one for one in narrow.window.page.filling.stages.findChildren(QLabel) if one.text() == said])
    lay_out()
    assert sideways(narrow) == 0
    narrow.window.work.cancel()
    narrow.until(lambda: not narrow.window.strip.isVisible())


def test_the_list_that_was_put_away_where_there_is_room_stays_so(review: Ward) -> None:
    window = review.window
    review.key(Qt.Key.Key_L, CTRL | SHIFT)
    assert window.banner.list.isVisible()
    for size in (NARROW, COMFORTABLE):
        window.resize(size)
        lay_out()
        assert not window.side.isVisible()
    review.click(window.banner.list)
    assert window.side.isVisible()
    assert not window.banner.list.isVisible()


def test_a_narrow_window_records_by_its_own_button(narrow: Ward) -> None:
    narrow.click(narrow.window.banner.record)
    assert narrow.window.recorder.running
    assert not narrow.window.banner.record.isEnabled()


def test_the_empty_page_of_a_new_patient_begins_at_its_top(ward: Ward) -> None:
    window = ward.window
    window.resize(1366, 420)
    window.start.patient.setFocus()
    lay_out()

    def enter(dialog: PatientDialog) -> None:
        QTest.keyClicks(dialog.name, "Hawthorne, Ada")
        QTest.keyClicks(dialog.mrn, "004711")
        QTest.keyClick(dialog.mrn, Qt.Key.Key_Return)

    ward.in_dialog(lambda: ward.click(window.start.patient), enter)
    ward.until(lambda: window.start.record.isVisible())
    ward.until_idle()
    assert window._scrolled.verticalScrollBar().maximum() > 0
    assert window._scrolled.verticalScrollBar().value() == 0
    for widget in (window.side.record, window.side.patients.search):
        assert seen(widget)


@pytest.mark.parametrize("size", [QSize(1280, 720), QSize(1366, 768)], ids=str)
def test_adding_a_row_never_scrolls_sideways(review: Ward, monkeypatch: pytest.MonkeyPatch, size: QSize) -> None:
    give_room(monkeypatch, size)
    page = review.window.page
    assert page.sheet
    schema = load_schema(DEMO_SCHEMA)
    dialog = AddRowDialog(review.theme, replace(page.sheet, schema=schema, values=()), review.window)
    fit_to_screen(dialog)
    dialog.show()
    longest = sorted(schema.rows, key=lambda row: len("".join((row.name, *row.category))))[-2:]
    widest = sorted(schema.rows, key=lambda row: max(map(len, row.option_names), default=0))[-3:]
    for row in (*longest, *widest, *{row.value_type: row for row in schema.rows}.values()):
        dialog.search.setText(row.name)
        lay_out()
        bars = [area.horizontalScrollBar() for area in dialog.findChildren(QAbstractScrollArea) if area.isVisible()]
        assert [bar.maximum() for bar in bars] == [0] * len(bars), row.name
    dialog.search.clear()
    lay_out()
    assert dialog.results.horizontalScrollBar().maximum() == 0
    dialog.close()
