"""The ward's list is imported in the window: what it changes is shown first, and then all of it is done or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QTreeWidgetItem

from app.chart.records import Patient
from app.store import Store
from app.system import paths
from tests.gui.conftest import Ward, lay_out
from ui.dialogs.ward_list import WardListDialog

HEAD = "Name,MRN,DOB,Bed\n"


@pytest.fixture
def known(new_ward: Callable[..., Ward]) -> Ward:
    """A ward with three patients."""
    with Store(paths.database_file()) as store:
        store.patients.add("Novak, Anna", "1", "101", "1950-02-03")
        store.patients.add("Okafor, Ben", "2", "102", "1961-07-30")
        store.patients.add("Gone, Ida", "3", "103", "1944-05-06")
    ward = new_ward()
    ward.until_ready()
    ward.until(lambda: len(ward.window.side.patients.texts()) == 3)
    return ward


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """The person will choose a list of this text."""

    def write(text: str) -> None:
        path = tmp_path / "ward.csv"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    return write


def import_list(ward: Ward, do: Callable[[Any], None]) -> None:
    ward.in_dialog(ward.window.actions_["import-list"].trigger, do)


def groups(dialog: WardListDialog) -> dict[str, list[tuple[str, str]]]:
    """What stands in the tree under each heading."""
    found = {}
    for place in range(dialog.tree.topLevelItemCount()):
        group = dialog.tree.topLevelItem(place)
        lines = [group.child(number) for number in range(group.childCount())]
        found[group.text(0)] = [(line.text(0), line.text(1)) for line in lines]
    return found


def planned(ward: Ward, dialog: WardListDialog) -> dict[str, list[tuple[str, str]]]:
    ward.until(lambda: dialog.plan)
    return groups(dialog)


def line_of(dialog: WardListDialog, name: str) -> QTreeWidgetItem:
    (found,) = dialog.tree.findItems(name, Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    return found


def beds(ward: Ward) -> dict[str, str]:
    """By name the bed that each patient has in the store."""
    return {
        one.name: "discharged" if one.discharged else one.bed for one in ward.workbench.workspace.store.patients.all()
    }


def anna(ward: Ward) -> Patient:
    return next(one for one in ward.workbench.workspace.store.patients.all() if one.name == "Novak, Anna")


def test_a_list_is_shown_and_imported_with_the_keys(known: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Novak Anna,101,1950-02-03,3\nOkafor Ben,102,1961-07-30,2\nReyes Luz,104,1970-01-02,1\nNobody,,,9\n")
    before = beds(known)

    def look(dialog: WardListDialog) -> None:
        shown = planned(known, dialog)
        assert [(name, [who.split(" · ")[0] for who, _ in lines]) for name, lines in shown.items()] == [
            ("Left out (3)", ["Line 2: Novak, Anna", "Line 4: Reyes Luz", "Line 5: Nobody, 9"]),
            ("Not on the list: choose who to discharge (1)", ["Gone, Ida"]),
            ("Unchanged (1)", ["Okafor, Ben"]),
        ]
        assert "Bed 3 is taken by Gone, Ida." in str(shown)
        dialog.tree.setCurrentItem(line_of(dialog, "Gone, Ida"))
        QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
        assert not dialog.save.isEnabled(), "not before it is known what that changes"
        known.until(dialog.save.isEnabled)
        assert groups(dialog)["Changed (1)"] == [
            ("Novak, Anna · born 3 Feb 1950 · MRN 101 · bed 1", "bed 1 → 3"),
        ]
        assert dialog.tree.currentItem().text(1) == "discharged", "the keyboard stays where it was"
        assert dialog.save.text() == "&Import 3 changes"
        assert beds(known) == before, "nothing yet"
        QTest.keyClick(dialog, Qt.Key.Key_I, Qt.KeyboardModifier.AltModifier)
        known.until(lambda: not dialog.isVisible())

    import_list(known, look)
    known.until(lambda: "Ward list imported: 1 added, 1 changed, 1 discharged." in known.window.message.text)
    assert beds(known) == {"Novak, Anna": "3", "Okafor, Ben": "2", "Reyes Luz": "1", "Gone, Ida": "discharged"}
    known.until(lambda: len(known.window.side.patients.texts()) == 3)
    known.until(lambda: "1 line left out." in known.window.message.text)
    last = known.workbench.workspace.store.patients.events(anna(known).id)[-1]
    assert (last.action, last.reviewer) == ("transfer", "R. Nurse")


def test_a_list_that_is_given_up_changes_nothing(known: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Reyes Luz,104,1970-01-02,9\n")
    before = beds(known)

    def give_up(dialog: WardListDialog) -> None:
        planned(known, dialog)
        assert dialog.tree.hasFocus()
        QTest.keyClick(dialog.tree, Qt.Key.Key_Escape)

    import_list(known, give_up)
    assert (beds(known), known.window.message.text) == (before, "")


def test_the_order_of_day_and_month_is_asked_for(known: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Reyes Luz,104,02/03/1970,9\n")

    def answer(dialog: WardListDialog) -> None:
        shown = planned(known, dialog)
        assert "could be day first or month first" in str(shown["Left out (1)"])
        assert not dialog.save.isEnabled()
        assert [one.text() for one in dialog.orders] == ["&1  2 Mar 1970, day first", "&2  3 Feb 1970, month first"]
        assert not any(one.isChecked() for one in dialog.orders), "nothing is guessed"
        first, second = dialog.orders
        known.until(lambda: not first.geometry().intersects(second.geometry()))  # arrows go by place
        first.setFocus()
        known.until(first.hasFocus)
        QTest.keyClick(first, Qt.Key.Key_Right)
        assert dialog.orders[1].hasFocus()
        QTest.keyClick(dialog.orders[1], Qt.Key.Key_Space)
        known.until(dialog.save.isEnabled)
        assert "born 3 Feb 1970" in str(groups(dialog)["New (1)"])
        dialog.save.click()

    import_list(known, answer)
    known.until(lambda: "Reyes Luz" in beds(known))


def test_what_is_no_list_says_so_in_the_dialog(known: Ward, choose: Callable[[str], None]) -> None:
    choose("Temperature 38.2 at noon\n")

    def read(dialog: WardListDialog) -> None:
        known.until(dialog.error.isVisible)
        assert "does not name the columns" in dialog.error.text()
        assert not dialog.save.isEnabled()

    import_list(known, read)


def test_who_has_something_left_to_file_cannot_be_discharged(review: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Reyes Luz,104,1970-01-02,9\n")

    def look(dialog: WardListDialog) -> None:
        planned(review, dialog)
        line = line_of(dialog, "Hawthorne, Ada")
        assert line.text(1) == "stays, not filed: morning.wav (not filed)"
        dialog.tree.setCurrentItem(line)
        QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
        QTest.keyClick(dialog.tree, Qt.Key.Key_Up)
        QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
        lay_out()
        assert dialog.plan is not None
        assert not dialog.plan.discharging
        assert dialog.save.isEnabled(), "nothing else was asked for"

    import_list(review, look)


def test_a_patient_who_is_being_recorded_stays(known: Ward, choose: Callable[[str], None]) -> None:
    window = known.window
    window.side.patients.chosen.emit(next(one for one in window.selection.overview.patients if one.name == "Gone, Ida"))
    known.click(window.side.record)
    known.until(lambda: window.recorder.running)
    choose(HEAD + "Novak Anna,101,1950-02-03,1\nOkafor Ben,102,1961-07-30,2\n")

    def look(dialog: WardListDialog) -> None:
        planned(known, dialog)
        assert line_of(dialog, "Gone, Ida").text(1) == "stays, not filed: a recording in progress"

    import_list(known, look)
    window.recorder.finish()
    known.until(lambda: window.recorder.recording is None)


def test_a_concurrent_change_stops_the_whole_import(known: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Reyes Luz,104,1970-01-02,9\nNovak Anna,101,1950-02-03,4\n")

    def change_elsewhere(dialog: WardListDialog) -> None:
        planned(known, dialog)
        known.workbench.workspace.store.patients.discharge(anna(known).id, "Somebody else")
        dialog.save.click()

    import_list(known, change_elsewhere)
    known.until(lambda: "was changed in the meantime. Nothing was saved." in known.window.message.text)
    assert "Reyes Luz" not in beds(known)


def test_a_list_that_is_dropped_on_the_window_is_imported(known: Ward, tmp_path: Path) -> None:
    path = tmp_path / "WARD.CSV"
    path.write_text(HEAD + "Reyes Luz,104,1970-01-02,9\n", encoding="utf-8")

    def take(dialog: WardListDialog) -> None:
        planned(known, dialog)
        dialog.save.click()

    known.in_dialog(lambda: known.window._open_all([path]), take)
    known.until(lambda: "Reyes Luz" in beds(known))


def test_an_import_without_a_signer_asks_who_signs(known: Ward, choose: Callable[[str], None]) -> None:
    choose(HEAD + "Reyes Luz,104,1970-01-02,9\n")
    known.workbench.signing.propose(None)
    asked: list[str] = []

    def take(dialog: WardListDialog) -> None:
        planned(known, dialog)
        known.until(dialog.save.isEnabled)

        def refuse() -> None:
            box = QApplication.activeModalWidget()
            if box is None or box is dialog:
                QTimer.singleShot(5, refuse)
                return
            asked.append(type(box).__name__)
            box.reject()  # type: ignore[attr-defined]

        QTimer.singleShot(5, refuse)
        dialog.save.click()

    import_list(known, take)
    assert asked == ["SignerDialog"]
    assert "Reyes Luz" not in beds(known)
