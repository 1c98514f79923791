"""Patients in the window: two identifiers, no duplicates, corrected, transferred, discharged and readmitted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from app.chart.records import Patient
from app.extraction_records import proposed
from app.record.run import RunRecord
from app.store import Store
from app.system import paths
from models.base.errors import InputError
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import WEIGHED_BY, bring_filled, values_of, weighed
from ui.dialogs.patient import PatientDialog
from ui.kit.dictation_states import ListedPatient
from ui.kit.question import Question
from ui.kit.theme import SMALL_PX
from ui.kit.words import INCOMPLETE, identifiers
from ui.patients.patient_delegate import LISTED_ROLE, PatientDelegate
from ui.patients.patient_form import PatientForm
from ui.patients.patient_search import search_patients

ADA = ("Hawthorne, Ada", "12", "004711")


def patients_of(ward: Ward) -> dict[str, Patient]:
    return {patient.name: patient for patient in ward.window.selection.overview.patients}


def row_of(ward: Ward, name: str) -> int:
    listed = ward.window.side.patients
    return next(place for place in range(listed.list.count()) if listed._patient(place).name == name)


def menu_of(ward: Ward, name: str, key: Qt.Key | None = None, shift: bool = False) -> QMenu:
    """What the list offers to do with a patient, asked for with the mouse or a key."""
    listed = ward.window.side.patients.list
    ward.until(lambda: name in " ".join(ward.window.side.patients.texts()))
    listed.setCurrentRow(row_of(ward, name))
    if key is None:
        place = listed.visualItemRect(listed.currentItem()).center()
        listed.customContextMenuRequested.emit(place)
    else:
        listed.setFocus()
        modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(listed, key, modifier)
    found: list[QMenu] = []
    ward.until(lambda: found.append(QApplication.activePopupWidget()) or isinstance(found[-1], QMenu))
    return found[-1]


def pick(ward: Ward, menu: QMenu, words: str, do: Callable[[Any], None]) -> None:
    """Chooses from a menu and goes on in the dialog that it opens."""
    action = next(action for action in menu.actions() if action.text().replace("&", "").startswith(words))

    def press() -> None:
        menu.close()
        action.trigger()

    ward.in_dialog(press, do)


def answer(words: str) -> Callable[[Question], None]:
    return lambda box: QTest.mouseClick(box.buttons[words], Qt.MouseButton.LeftButton)


def enter(**fields: str) -> Callable[[Any], None]:
    def type_in(dialog: Any) -> None:
        for name, text in fields.items():
            field = getattr(dialog, name)
            field.clear()
            QTest.keyClicks(field, text)

    return type_in


def discharge(ward: Ward, name: str) -> None:
    pick(ward, menu_of(ward, name), "Discharge", answer("&Discharge"))


def test_a_new_patient_without_a_second_identifier_is_refused_in_the_dialog(ward: Ward) -> None:
    def add(dialog: Any) -> None:
        enter(name="Novak, Anna", bed="14B")(dialog)
        QTest.keyClick(dialog.bed, Qt.Key.Key_Return)
        assert dialog.isVisible()
        assert "Novak, Anna has no second identifier" in dialog.error.text()
        QTest.keyClicks(dialog.born, "3 Feb 1950")
        assert dialog.form.understood.text().startswith("3 Feb 1950 · ")
        assert not dialog.error.isVisible()
        QTest.keyClick(dialog.born, Qt.Key.Key_Return)

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), add)
    ward.until(lambda: ward.window.selection.patient)
    ward.until(lambda: "born 3 Feb 1950" in ward.window.banner.patient_text)
    assert ward.window.banner.patient_text == "Novak, Anna · born 3 Feb 1950   ·   Bed 14B"


def test_a_date_that_may_be_two_is_shown_in_words_and_can_be_chosen(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.patients.patient_form._order", lambda: None)
    seen = []

    def add(dialog: Any) -> None:
        enter(name="Novak, Anna", born="03/02/1950")(dialog)
        readings = dialog.form.readings
        seen.append([reading.text().split(" · ")[0] for reading in readings])
        assert not any(reading.isChecked() for reading in readings)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert "could be two dates" in dialog.error.text()
        readings[1].click()
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), add)
    ward.until(lambda: ward.window.selection.patient)
    assert ward.window.selection.patient is not None
    assert (seen, ward.window.selection.patient.birth_date) == ([["3 Feb 1950", "2 Mar 1950"]], "1950-03-02")


@pytest.mark.parametrize(("order", "first"), [("d", "1950-02-03"), ("m", "1950-03-02")])
def test_the_date_order_of_the_computer_comes_first(
    ward: Ward, monkeypatch: pytest.MonkeyPatch, order: str, first: str
) -> None:
    monkeypatch.setattr("ui.patients.patient_form._order", lambda: order)
    form = PatientForm()
    form.name.setText("Novak, Anna")
    form.born.setText("03/02/1950")
    with pytest.raises(InputError, match="could be two dates"):  # none is chosen beforehand
        form.identity()
    form.readings[0].setChecked(True)
    assert form.identity().birth_date == first
    form.deleteLater()


def test_a_duplicate_is_refused_with_the_one_that_has_it(ward: Ward) -> None:
    ward.add_patient(*ADA)

    def add(dialog: Any) -> None:
        enter(name="Hawthorn, Ada", bed="3", mrn="004711")(dialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert "Hawthorne, Ada (MRN 004711, bed 12) already has MRN 004711" in dialog.error.text()
        enter(mrn="99", bed="Bed 12")(dialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert "Bed 12 is taken by Hawthorne, Ada" in dialog.error.text()
        assert not dialog.open_same.isVisible()
        enter(mrn="004711")(dialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog.open_same, Qt.MouseButton.LeftButton)

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), add)
    assert ward.window.selection.patient is not None
    assert ward.window.selection.patient.name == "Hawthorne, Ada"
    assert list(patients_of(ward)) == ["Hawthorne, Ada"]


def test_two_people_of_one_name_and_birth_date_are_asked_about(ward: Ward) -> None:
    def first(dialog: Any) -> None:
        enter(name="Novak, Anna", born="1950-02-03", bed="1")(dialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)

    def second(dialog: Any) -> None:
        enter(name="Anna Novak", born="3 Feb 1950", bed="2")(dialog)
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert "same name and date of birth" in dialog.error.text()
        QTest.mouseClick(dialog.other, Qt.MouseButton.LeftButton)

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), first)
    ward.until(lambda: "Novak, Anna" in patients_of(ward))
    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), second)
    ward.until(lambda: "Anna Novak" in patients_of(ward))


@pytest.mark.parametrize(("key", "shift"), [(None, False), (Qt.Key.Key_Menu, False), (Qt.Key.Key_F10, True)])
def test_a_patient_is_corrected_from_the_menu_of_the_list(ward: Ward, key: Qt.Key | None, shift: bool) -> None:
    ward.add_patient(*ADA)

    def correct(dialog: Any) -> None:
        assert dialog.form.name.text() == "Hawthorne, Ada"
        enter(name="Hawthorne, Adele", born="1961-07-30")(dialog.form)
        QTest.keyClick(dialog.form.born, Qt.Key.Key_Return)

    pick(ward, menu_of(ward, "Hawthorne, Ada", key, shift), "Edit", correct)
    ward.until(lambda: ward.window.banner.patient_text.startswith("Hawthorne, Adele · born 30 Jul 1961"))
    ward.until(lambda: "Hawthorne, Adele, born 30 Jul 1961" in ward.window.side.patients.texts()[0])
    ward.close()
    with Store(paths.database_file()) as store:
        (patient,) = store.patients.all()
        assert [event.action for event in store.patients.events(patient.id)] == ["add", "edit"]
        assert store.patients.events(patient.id)[-1].reviewer == "R. Nurse"


def test_what_is_corrected_is_shown_with_the_chart(review: Ward) -> None:
    pick(
        review,
        menu_of(review, "Hawthorne, Ada"),
        "Edit",
        lambda dialog: (enter(mrn="5")(dialog.form), QTest.keyClick(dialog.form.mrn, Qt.Key.Key_Return)),
    )
    review.until(lambda: review.window.page.sheet and review.window.page.sheet.patient.mrn == "5")


def test_transfer_to_a_free_bed_and_swap_with_a_taken_one(ward: Ward) -> None:
    ward.add_patient("Okafor, Ben", "3", "77")
    ward.add_patient(*ADA)

    def swap(dialog: Any) -> None:
        QTest.keyClicks(dialog.field, "bed 3")
        assert "Bed 3 is taken by Okafor, Ben · MRN 77 · bed 3" in dialog.taken.text()
        assert not dialog.save.isEnabled()
        QTest.mouseClick(dialog.swap, Qt.MouseButton.LeftButton)

    pick(ward, menu_of(ward, "Hawthorne, Ada"), "Transfer", swap)
    ward.until(lambda: {p.name: p.bed for p in patients_of(ward).values()} == {"Okafor, Ben": "12", ADA[0]: "3"})
    ward.until(lambda: ward.window.banner.patient_text.endswith("Bed 3"))

    def move(dialog: Any) -> None:
        QTest.keyClicks(dialog.field, "14 B")
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)

    ward.in_dialog(ward.window.actions_["transfer"].trigger, move)
    ward.until(lambda: ward.window.banner.patient_text.endswith("Bed 14 B"))


def test_a_discharge_warns_of_what_is_not_filed_and_hides_the_patient(review: Ward) -> None:
    window = review.window
    asked: list[str] = []

    def anyway(box: Question) -> None:
        asked.append(box.words)
        answer("Discharge &anyway")(box)

    def discharge() -> None:
        window.actions_["discharge"].trigger()
        review.until(lambda: asked)  # the second question comes once the store has looked

    review.in_dialog(discharge, answer("&Discharge"), anyway)
    review.until(lambda: window.selection.patient and window.selection.patient.discharged)
    assert "morning.wav (not filed)" in asked[0]
    review.until(lambda: not window.side.patients.texts())
    assert len(review.values()) == 18, "the chart stays readable"
    assert "discharged" in window.banner.patient_text.casefold()
    assert "1 discharged" in window.side.patients.none.text()

    window.intake.record_or_finish()
    assert window.recorder.recording is None
    assert "Hawthorne, Ada is discharged." in window.message.text
    review.open_text("later.txt")
    assert [entry.dictation.original_name for entry in window.selection.overview.entries] == ["morning.wav"]

    review.click(window.side.patients.discharged)
    assert len(window.side.patients.texts()) == 1
    pick(
        review,
        menu_of(review, "Hawthorne, Ada"),
        "Readmit",
        lambda dialog: QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton),
    )
    review.until(lambda: window.selection.patient and not window.selection.patient.discharged)
    review.open_text("later.txt")
    review.until(lambda: len(window.selection.overview.entries) == 2)


def test_a_patient_being_recorded_is_not_discharged(ward: Ward) -> None:
    ward.add_patient(*ADA)
    ward.click(ward.window.side.record)
    ward.until(lambda: ward.window.recorder.running)
    ward.window.actions_["discharge"].trigger()
    ward.until(lambda: "A recording about Hawthorne, Ada is running." in ward.window.message.text)
    ward.window.recorder.finish()
    ward.until(lambda: ward.window.recorder.recording is None)


def test_a_patient_without_a_second_identifier_keeps_working_and_is_marked(
    new_ward: Callable[..., Ward], use_schema: None
) -> None:
    with Store(paths.database_file()) as store:
        store.patients.add("Alias", "7")
    ward = new_ward()
    ward.until_ready()
    ward.until(lambda: ward.window.side.patients.texts())
    assert ward.window.side.patients.texts() == [f"Alias, {INCOMPLETE}, bed 7"]
    ward.window.side.patients.chosen.emit(patients_of(ward)["Alias"])
    assert INCOMPLETE in ward.window.banner.patient_text
    ward.open_text()
    ward.until_review()


def test_patients_who_shared_before_are_warned_about(new_ward: Callable[..., Ward], use_schema: None) -> None:
    with Store(paths.database_file()) as store:
        store.patients.add("Novak, Anna", "14B", "1")
        other = store.patients.add("Novak, Ana", "3", "2")
        with store._database.write() as db:
            db.execute("UPDATE patients SET mrn = '1', mrn_key = NULL WHERE id = ?", [other.id])
    ward = new_ward()
    ward.until_ready()
    ward.until(lambda: ward.window.side.patients.texts())
    assert all("Same MRN as Novak" in text for text in ward.window.side.patients.texts())


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("mar", ["Marsh, Doreen", "Kowalski, Henry"]),
        ("12", ["Haddad, Rosa", "Kowalski, Henry"]),
        ("marsh dor", ["Marsh, Doreen"]),
        ("zzz", []),
    ],
)
def test_a_search_lists_names_before_months(typed: str, found: list[str]) -> None:
    patients = [
        Patient(1, "Haddad, Rosa", "12", "7", "1960-05-01"),
        Patient(2, "Kowalski, Henry", "4", "12", "1951-03-09"),
        Patient(3, "Marsh, Doreen", "9", "88", "1938-11-02"),
    ]
    assert [patient.name for patient in search_patients(patients, typed)] == found


def drawn(ward: Ward, name: str) -> tuple[ListedPatient, QRect, QRect]:
    """A patient as listed, the place of the item, and what of it is for the note."""
    view, place = ward.window.side.patients.list, row_of(ward, name)
    item, delegate = view.visualItemRect(view.item(place)), view.itemDelegate()
    assert isinstance(delegate, PatientDelegate)
    listed: ListedPatient = view.item(place).data(LISTED_ROLE)
    return listed, item, delegate._places(item, listed).note


def test_a_patient_takes_one_line_unless_the_name_is_not_enough(new_ward: Callable[..., Ward]) -> None:
    with Store(paths.database_file()) as store:
        for name, bed, mrn in (("Novak, Anna", "2", "88427310"), ("Novak, Petra", "3", "88427311")):
            store.patients.add(name, bed, mrn, "1950-12-23")
        for number, letter in enumerate("aeiouytrkl", 10):
            store.patients.add(f"{letter.upper()}aa, Z{letter}", f"{number}", f"7{number}")
        store.patients.add("Fotheringham-Smythe, Alexandrina", "30", "991")
    ward = new_ward()
    ward.until_ready()
    ward.window.resize(1366, 738)
    ward.until(lambda: len(ward.window.side.patients.texts()) == 13)
    lay_out()
    view = ward.window.side.patients.list
    assert sum(view.viewport().rect().contains(view.visualItemRect(view.item(row))) for row in range(13)) >= 6
    small = ward.theme.font(SMALL_PX)[1]
    for name in ("Novak, Anna", "Novak, Petra"):
        listed, _, note = drawn(ward, name)
        assert listed.note == " · ".join(identifiers(listed.patient)).removeprefix("born ")
        assert small.horizontalAdvance(listed.note) <= note.width(), "no number is cut"
    one_line, two_lines = drawn(ward, "Aaa, Za")[1].height(), drawn(ward, "Novak, Anna")[1].height()
    assert drawn(ward, "Aaa, Za")[0].note == ""
    assert one_line < two_lines == drawn(ward, "Fotheringham-Smythe, Alexandrina")[1].height(), "nor a name"


def test_an_item_shows_all_states_that_there_are(new_ward: Callable[..., Ward], tmp_path: Path) -> None:
    with Store(paths.database_file()) as store:
        first, second, waits, fails = (bring_filled(store, tmp_path) for _ in range(4))
        patient = store.encounters.one(first.encounter_id).patient_id
        for other in (second, waits, fails):
            store.dictations.move(other.id, patient, "R. Nurse", "Wrong patient")
            store.runs.save(other.id, proposed(weighed(values_of())), RunRecord(weighed_by=WEIGHED_BY))
        for one in (first, second):
            store.reviews.decide_all([value.id for value in store.values.of(one.id)], "confirm", "R. Nurse")
        store.dictations.fail(fails.id, "No speech was heard.")
    ward = new_ward()
    ward.until_ready()
    ward.until(lambda: "to check" in "".join(ward.window.side.patients.texts()))
    listed, _, _ = drawn(ward, "Sorrel, Max")
    assert [mark.icon for mark in listed.marks] == ["error", "lit", "confirmed"]
    assert [mark.number for mark in listed.marks] == ["", str(listed.states[1].values), "2"]
    for words in ("Failed, open to retry", "to check", "Reviewed, not filed (×2)"):
        assert words in ward.window.side.patients.texts()[0]


@pytest.mark.parametrize("where", ["menu", "empty page"])
def test_a_new_patient_is_entered_at_once(ward: Ward, where: str) -> None:
    ward.add_patient(*ADA)
    window = ward.window
    window.selection.patient = None
    window.start.show_patient(None)
    lay_out()

    def enter(dialog: PatientDialog) -> None:
        assert dialog.name.hasFocus()
        QTest.keyClicks(dialog.name, "Okafor, Ben")
        QTest.keyClicks(dialog.mrn, "77")
        QTest.keyClick(dialog.mrn, Qt.Key.Key_Return)

    ward.in_dialog(
        window.actions_["new-patient"].trigger if where == "menu" else lambda: ward.click(window.start.new), enter
    )
    ward.until(lambda: window.selection.patient and window.selection.patient.name == "Okafor, Ben")


def test_the_empty_page_offers_the_ward_list(ward: Ward, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("name,mrn\nReyes Luz,104\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    shown: list[str] = []
    ward.in_dialog(lambda: ward.click(ward.window.start.ward_list), lambda dialog: shown.append(dialog.windowTitle()))
    assert shown == ["Import the ward list"]


def test_an_empty_search_result_names_the_search(ward: Ward) -> None:
    ward.add_patient(*ADA)
    ward.window.navigation.find_patient()
    ward.type("beczzz")
    assert ward.window.side.patients.none.text() == "No patient matches “beczzz”."
    ward.key(Qt.Key.Key_Escape)


def test_a_right_click_on_empty_space_opens_no_menu(ward: Ward) -> None:
    ward.window.side.patients.list.customContextMenuRequested.emit(QPoint(5, 5))
    assert QApplication.activePopupWidget() is None


def test_the_dialog_begins_at_the_patient_who_is_shown_and_else_at_nobody(ward: Ward) -> None:
    ward.add_patient("Alvarez, Luis", "3", "77")
    ward.add_patient("Okafor, Ben", "6", "78")

    def look(dialog: Any) -> None:
        assert dialog.list.currentItem().data(Qt.ItemDataRole.UserRole).name == "Okafor, Ben"

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), look)
    ward.window.selection.patient = None

    def press_enter(dialog: Any) -> None:
        assert not dialog.choose.isEnabled()
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        assert dialog.isVisible()

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), press_enter)


def test_a_name_that_was_searched_in_vain_stands_in_the_form(ward: Ward) -> None:
    ward.add_patient("Alvarez, Luis", "3", "77")

    def search(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "Beczka, Ola")
        assert dialog.name.text() == "Beczka, Ola"
        dialog.search.clear()
        assert dialog.name.text() == ""

    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), search)
