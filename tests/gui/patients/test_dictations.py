"""Dictations that are renamed, moved and deleted, and menus of single items, by mouse and by keys."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMenu, QWidget

from app.chart.recording_time import ENTERED, FROM_NAME
from app.chart.records import Dictation, ReviewStatus
from tests.gui.conftest import Ward, lay_out
from tests.gui.shell.view_checks import clipped
from tests.kit.fake_app import FakeEngine, until_cancelled, write_recording
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.words import recorded_text
from ui.patients.dictation_list import LINES_ROLE, RecentList

if TYPE_CHECKING:
    from ui.dialogs.dictation import DeleteDialog, DetailsDialog, MoveDialog, RenameDialog

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def two(ward: Ward) -> Ward:
    """Hawthorne in bed 12 is shown with a dictation, of which two values are decided; Sorrel is in bed 3."""
    ward.add_patient("Sorrel, Max", "3", "000333")
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    for row in ("hr", "bp"):
        ward.choose(row)
        ward.key(Qt.Key.Key_A)
        ward.until_status(row, ReviewStatus.CONFIRMED)
    ward.until(lambda: ward.window.selection.overview.entries[0].decided == 2)
    return ward


def names(ward: Ward) -> list[str]:
    recent = ward.window.side.recent
    return [recent.item(place).data(LINES_ROLE)[0] for place in range(recent.count())]


def right_click(ward: Ward, view: QAbstractItemView, place: QPoint) -> QMenu:
    """Clicks as the system reports it, with which the menu comes."""
    window = ward.window.windowHandle()
    QTest.mouseClick(
        window, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, view.viewport().mapTo(ward.window, place)
    )
    return menu(ward)


def ask_menu(ward: Ward, view: QAbstractItemView, place: QPoint) -> QMenu:
    """Tells a view, as the window does after a right click."""
    viewport = view.viewport()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, asked)
    return menu(ward)


def menu(ward: Ward) -> QMenu:
    ward.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    opened = QApplication.activePopupWidget()
    assert isinstance(opened, QMenu)
    return opened


def words(opened: QMenu) -> list[str]:
    return [
        action.text().partition("\t")[0].replace("&", "") for action in opened.actions() if not action.isSeparator()
    ]


def pick(opened: QMenu, text: str) -> None:
    """Walks to an entry with the arrows and takes it."""
    for _ in range(20):
        QTest.keyClick(opened, Qt.Key.Key_Down)
        current = opened.activeAction()
        if current and text in current.text().replace("&", ""):
            QTest.keyClick(opened, Qt.Key.Key_Return)
            return
    raise AssertionError(f"no {text} in {words(opened)}")


def at_first(recent: RecentList) -> QPoint:
    return recent.visualItemRect(recent.item(0)).center()


def move_to(name: str) -> Callable[[MoveDialog], None]:
    def do(dialog: MoveDialog) -> None:
        QTest.keyClicks(dialog.search, name)
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        assert dialog.move_button.hasFocus()
        QTest.keyClick(dialog.move_button, Qt.Key.Key_Space)

    return do


def details(ward: Ward, act: Callable[[], None]) -> str:
    """What the details say, which are read before they are shown."""
    seen: list[str] = []

    def do(dialog: DetailsDialog) -> None:
        seen.append("\n".join(shown.text() for shown in dialog.findChildren(QLabel)))

    def act_and_wait() -> None:
        act()
        ward.until(lambda: seen)

    ward.in_dialog(act_and_wait, do)
    return seen[0]


# moving


def test_a_moved_dictation_takes_the_view_along_and_can_be_moved_back(two: Ward) -> None:
    seen: list[str] = []

    def do(dialog: MoveDialog) -> None:
        seen.extend([dialog.now.text(), dialog.consequences.text()])
        assert not dialog.move_button.isEnabled(), "nobody is chosen beforehand"
        assert "Hawthorne" not in str([dialog.list.item(place).text() for place in range(dialog.list.count())])
        move_to("sorrel")(dialog)

    two.in_dialog(lambda: two.key(Qt.Key.Key_M, CTRL | SHIFT), do)
    assert all(part in seen[0] for part in ("Hawthorne, Ada", "MRN 004711", "bed 12"))
    assert "2 decisions are undone; the values are filled again" in seen[1]
    two.until(lambda: two.window.selection.patient and two.window.selection.patient.name == "Sorrel, Max")
    two.until(lambda: "was moved to Sorrel, Max" in two.window.message.text)
    two.until(lambda: "bed 3" in two.window.message.text)
    two.until(
        lambda: "18 values went with it and are filled again; 2 decisions were undone." in two.window.message.text
    )
    two.until(lambda: two.window.page.reviewable and len(two.values()) == 18)
    assert {value.status for value in two.values()} == {ReviewStatus.PROPOSED}
    two.click(two.window.message.act)
    two.until(lambda: two.window.selection.patient and two.window.selection.patient.name == "Hawthorne, Ada")
    two.until(lambda: two.window.page.reviewable and two.value("hr").status is ReviewStatus.CONFIRMED)
    two.until(lambda: "was moved back to Hawthorne" in two.window.message.text)


@pytest.mark.parametrize("size", [QSize(1280, 720), QSize(1366, 768)], ids=str)
def test_what_a_move_did_is_read_whole_beside_the_work_that_it_starts(two: Ward, size: QSize) -> None:
    window = two.window
    window.resize(size)
    two.workbench.workspace.store.patients.add("Featherstone-Haughton, Wilhelmina", "14B", "000444")
    window.navigation.load_overview()
    two.until(lambda: len(window.selection.overview.patients) == 3)
    two.engine.before_fill.append(until_cancelled)
    two.in_dialog(lambda: two.key(Qt.Key.Key_M, CTRL | SHIFT), move_to("feather"))
    two.until(lambda: "was moved to Featherstone-Haughton, Wilhelmina, bed 14B" in window.message.text)
    two.until(lambda: window.strip.isVisible())
    lay_out()
    assert window.message._words.verticalScrollBar().maximum() == 0
    assert clipped(window) == []
    window.work.cancel()
    two.until(lambda: not window.strip.isVisible())


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_on_the_dictation_that_is_open_goes_to_its_values(two: Ward, key: Qt.Key) -> None:
    recent, flowsheet = two.window.side.recent, two.window.page.flowsheet
    recent.setFocus()
    recent.setCurrentRow(0)
    QTest.keyClick(recent, key)
    two.until(flowsheet.hasFocus)
    two.window.page.show_chart()
    recent.setFocus()
    QTest.keyClick(recent, key)
    two.until(flowsheet.hasFocus)


def test_what_was_read_before_stays_in_view_while_it_is_read_for_another_patient(two: Ward) -> None:
    window, go_on = two.window, threading.Event()
    page = window.page
    seen: list[QWidget] = []
    page._right.currentChanged.connect(lambda _: seen.append(page._right.currentWidget()))
    two.engine.before_fill.append(lambda *_: go_on.wait(PATIENCE_SECONDS))
    two.engine.first_values = 3
    two.in_dialog(window.actions_["move"].trigger, move_to("sorrel"))
    two.until(lambda: page.sheet and page.sheet.patient.name == "Sorrel, Max" and not page.reviewable)
    two.until(lambda: page.filling._latest_values)
    lay_out()
    values = page.filling.values
    assert values.isVisible()
    assert values.count.text() == "18 values read before, being read again. Review them when all are read."
    rows = values.flowsheet.model()
    assert sum(rows.rowCount(rows.index(group, 0)) for group in range(rows.rowCount())) == 18
    go_on.set()
    two.until_review()
    assert {value.status for value in two.values()} == {ReviewStatus.PROPOSED}
    assert page.filling in seen
    assert page.unfinished not in seen, "nor is it called unfinished in between"


def test_enter_alone_moves_nothing(two: Ward) -> None:
    """Neither with nobody chosen, nor where several match what was typed."""
    two.add_patient("Sorrel, Mia", "4", "000444")
    two.window.navigation.show_dictation(1)
    two.until(lambda: two.window.selection.patient and two.window.selection.patient.name == "Hawthorne, Ada")
    two.until_review()

    def do(dialog: MoveDialog) -> None:
        QTest.keyClicks(dialog.search, "sorrel")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        assert dialog.isVisible()
        assert dialog.chosen is None
        dialog.reject()

    two.in_dialog(lambda: two.key(Qt.Key.Key_M, CTRL | SHIFT), do)
    assert two.workbench.workspace.store.dictations.events(1) == []


def test_a_filed_dictation_says_what_to_do_first(two: Ward, tmp_path: Path) -> None:
    store = two.workbench.workspace.store
    store.reviews.decide_all([value.id for value in two.values()], "confirm", "R. Nurse")
    store.filings.file(1, "R. Nurse", [])
    two.window.navigation.load_overview()
    two.until(lambda: two.window.selection.overview.entries[0].filed)
    for ask in (two.window.dictations.ask_patient, two.window.dictations.ask_reason):
        two.window.message.hide()
        ask(1)
        two.until(lambda: "This dictation is filed. Reopen it first" in two.window.message.text)


def test_one_that_is_being_filled_is_not_moved(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.selection.overview.entries and ward.workbench.intake.job_of(1))
    ward.window.dictations.ask_patient(1)
    ward.until(lambda: "is being processed" in ward.window.message.text)
    ward.window.work.cancel()
    ward.until(lambda: not ward.workbench.jobs)


# the menu of a dictation


@pytest.mark.parametrize("way", ["mouse", "menu key", "shift f10"])
def test_the_menu_of_a_dictation_opens_by_mouse_and_keys(two: Ward, way: str) -> None:
    recent = two.window.side.recent
    if way == "mouse":
        opened = right_click(two, recent, at_first(recent))
    else:
        recent.setFocus()
        recent.setCurrentRow(0)
        key, modifier = (
            (Qt.Key.Key_Menu, Qt.KeyboardModifier.NoModifier) if way == "menu key" else (Qt.Key.Key_F10, SHIFT)
        )
        QTest.keyClick(recent, key, modifier)
        opened = menu(two)
    assert words(opened) == ["Rename…", "Change the time…", "Move to another patient…", "Delete…", "Details"]
    assert "morning.wav" in details(two, lambda: pick(opened, "Details"))


def test_an_empty_place_has_no_menu(two: Ward) -> None:
    recent = two.window.side.recent
    below = QPoint(recent.viewport().width() // 2, recent.viewport().height() - 2)
    assert not recent.indexAt(below).isValid()
    QTest.mouseClick(
        two.window.windowHandle(),
        Qt.MouseButton.RightButton,
        Qt.KeyboardModifier.NoModifier,
        recent.viewport().mapTo(two.window, below),
    )
    assert QApplication.activePopupWidget() is None


def test_a_dictation_is_renamed_with_f2_in_the_list(two: Ward) -> None:
    def do(dialog: RenameDialog) -> None:
        QTest.keyClicks(dialog.field, "Wound check")
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)

    assert names(two)[0].endswith("· morning.wav")
    two.window.side.recent.setFocus()
    two.in_dialog(lambda: two.key(Qt.Key.Key_F2), do)
    two.until(lambda: names(two)[0].endswith("· Wound check"))


def test_a_recording_made_here_is_named_by_its_time(ward: Ward) -> None:
    ward.add_patient()
    ward.open_recording("recording-20261123-140500.wav")
    ward.until_review()
    ward.until(lambda: names(ward))
    assert names(ward)[0].startswith("Dictation ")
    assert "recording-" not in names(ward)[0]


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("recording-20261123-140200.wav", "", "14:02 to 14:05"),
        ("recording-20261123-140200-2.wav", "", "14:02 to 14:05"),
        ("recording-20261122-235900.wav", "", "22 Nov, 23:59 to 14:05"),
        ("recording-20261123-140501.wav", "", "14:05"),
        ("recording-20261123-140200.wav", ENTERED, "14:05, entered manually"),
        ("2026-11-23 14.02 round.wav", FROM_NAME, "14:05, from the file name"),
    ],
)
def test_a_recording_tells_when_it_began_and_ended(name: str, source: str, words: str) -> None:
    ended = datetime(2026, 11, 23, 14, 5, 30).astimezone()
    at = ended.astimezone(UTC).isoformat()
    dictation = Dictation(1, 1, "audio", Path("a"), name, "", 0, "filled", "", at, time_source=source)
    assert recorded_text(dictation, ended) == words


def test_details_name_the_file_and_what_was_done(two: Ward) -> None:
    two.workbench.workspace.store.dictations.rename(1, "Wound check", "R. Nurse")
    text = details(two, lambda: two.key(Qt.Key.Key_I, CTRL))
    for part in ("morning.wav", "Hawthorne, Ada · ", "SHA-256", "renamed to “Wound check” by R. Nurse"):
        assert part in text


# deleting


def delete_for(place: int, other: str = "") -> Callable[[DeleteDialog], None]:
    def do(dialog: DeleteDialog) -> None:
        assert not dialog.delete.isEnabled(), "a reason comes first"
        QTest.mouseClick(dialog.reasons[place], Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
        if other:
            assert not dialog.delete.isEnabled()
            QTest.keyClicks(dialog.other, other)
        QTest.mouseClick(dialog.delete, Qt.MouseButton.LeftButton)

    return do


def test_undo_restores_a_deleted_dictation(two: Ward) -> None:
    two.window.side.recent.setFocus()
    two.in_dialog(lambda: two.key(Qt.Key.Key_Delete), delete_for(1))
    two.until(lambda: not names(two))
    assert two.window.page.sheet is None
    assert two.window.start.isVisible()
    two.until(lambda: "“morning.wav” was deleted" in two.window.message.text)
    (event,) = two.workbench.workspace.store.dictations.events(1)
    assert (event.reason, event.reviewer) == ("Recorded by mistake", "R. Nurse")
    two.click(two.window.message.act)
    two.until(lambda: names(two) and two.window.page.sheet is not None)
    assert two.value("hr").status is ReviewStatus.CONFIRMED
    two.until(lambda: "is restored" in two.window.message.text)


def test_another_reason_is_given_in_words(two: Ward) -> None:
    two.in_dialog(lambda: two.window.dictations.ask_reason(), delete_for(-1, "patient withdrew"))
    two.until(lambda: not names(two))
    assert two.workbench.workspace.store.dictations.events(1)[0].reason == "patient withdrew"


def test_after_a_deletion_the_patients_next_dictation_is_shown(two: Ward) -> None:
    two.open_text("noon.txt", "Heart rate is 112 and regular, blood pressure 142 over 74.")
    two.until_filled("noon.txt")
    two.until(lambda: len(names(two)) == 2)
    two.in_dialog(lambda: two.window.dictations.ask_reason(), delete_for(2))
    two.until(lambda: two.window.page.sheet and two.window.page.sheet.dictation.name == "morning.wav")
    assert two.window.selection.patient
    assert two.window.selection.patient.name == "Hawthorne, Ada"
    two.until(lambda: "was deleted" in two.window.message.text)


def test_a_dictation_is_deleted_while_it_is_filled(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.selection.overview.entries and engine.given and not engine.before_fill)
    ward.in_dialog(lambda: ward.window.dictations.ask_reason(1), delete_for(1))
    ward.until(lambda: not names(ward) and not ward.workbench.jobs)
    ward.until(lambda: "was deleted" in ward.window.message.text)
    ward.until_idle()
    ward.until(lambda: "was deleted" in ward.window.message.text)
    assert ward.window.start.isVisible()


def test_a_file_that_holds_no_sound_leaves_nothing_in_the_list(ward: Ward, tmp_path: Path) -> None:
    ward.add_patient()
    path = tmp_path / "notes.wav"
    path.write_text("no sound at all", encoding="utf-8")
    ward.window.intake.open_file(path)
    ward.until(lambda: "notes.wav is not a recording that Wardlight can read" in ward.window.message.text)
    assert names(ward) == []
    assert ward.workbench.workspace.store.dictations.all() == []


def test_one_that_could_not_be_read_is_named_by_its_file_and_can_be_deleted(ward: Ward) -> None:
    """It was kept by an earlier version, which looked at nothing beforehand."""
    ward.add_patient()
    assert ward.window.selection.patient
    store = ward.workbench.workspace.store
    stay = store.encounters.open(ward.window.selection.patient.id)
    source = write_recording(ward.folder / "evening.wav")
    kept = store.dictations.add(stay.id, source, "audio", ward.workbench.workspace.schema_version)
    store.dictations.fail(kept.id, f"{kept.path.name} is not a recording that Wardlight can read.")
    ward.window.navigation.load_overview()
    ward.until(lambda: names(ward))
    ward.window.navigation.show_dictation(kept.id)
    ward.until(lambda: ward.window.page.sheet)
    tip = ward.window.side.recent.item(0).toolTip()
    assert "evening.wav is not a recording" in tip
    assert kept.path.name not in tip
    assert kept.path.name not in ward.window.page.unfinished.reason.text()
    ward.in_dialog(lambda: ward.window.dictations.ask_reason(), delete_for(3))
    ward.until(lambda: not names(ward))


# the menu of a value


@pytest.mark.parametrize("way", ["mouse", "menu key"])
def test_a_value_is_decided_and_reopened_by_its_menu(two: Ward, way: str) -> None:
    flowsheet = two.window.page.flowsheet

    def opened() -> QMenu:
        two.choose("rr")
        if way == "menu key":
            flowsheet.setFocus()
            QTest.keyClick(flowsheet, Qt.Key.Key_Menu)
            return menu(two)
        two.until_idle()  # a person clicks on what has been painted: the pane below takes its height first
        return ask_menu(two, flowsheet, flowsheet.visualRect(flowsheet.currentIndex()).center())

    entries = opened()
    assert [entry for entry in words(entries) if entry in ("Reject", "Edit", "Undo decision")] == [
        "Reject",
        "Edit",
        "Undo decision",
    ]
    pick(entries, "Reject")
    two.until_status("rr", ReviewStatus.REJECTED)
    pick(opened(), "Undo decision")
    two.until_status("rr", ReviewStatus.PROPOSED)


def test_a_right_click_chooses_the_value_that_it_is_about(two: Ward) -> None:
    flowsheet = two.window.page.flowsheet
    two.choose("rr")
    flowsheet.step(1)
    assert two.window.page.current
    assert two.window.page.current.row_id != "rr"
    two.until_idle()
    place = flowsheet.visualRect(flowsheet._model.index_of(two.value("rr").id)).center()
    opened = ask_menu(two, flowsheet, place)
    current: Any = two.window.page.current
    assert current.row_id == "rr"
    opened.close()
