"""A folder of exports becomes the flowsheet in use: with keys and clicks, up to the first dictation that it fills."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from app.exchange.contract_codes import hospital_codes
from app.system import paths
from app.system.settings import load_settings
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import FakeEngine, die, until_cancelled
from tests.kit.ward_exports import ROWS, write_exports, write_rows
from ui.contracts.import_dialog import ImportDialog
from ui.contracts.rows.rows_model import HEADS
from ui.contracts.sources_page import choose
from ui.kit.question import Question

SAID = "Heart rate is 112. Respirations 22 on two liters by nasal cannula."
ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_exports(tmp_path / "exports")


def begin(ward: Ward) -> ImportDialog:
    """Opens the import by its menu entry."""
    ward.window.actions_["import-records"].trigger()
    dialog = ward.window.contracts.dialog
    assert dialog
    dialog.activateWindow()
    ward.until(lambda: QApplication.focusWidget() is dialog.folder.path)
    return dialog


def read(ward: Ward, folder: Path) -> ImportDialog:
    """Opens the import and reads a folder."""
    dialog = begin(ward)
    dialog.folder.path.clear()
    ward.type(str(folder))
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.sources)
    return dialog


def assert_coded(ward: Ward) -> None:
    """Values of the flowsheet in use leave under the hospital's own ids and codes."""
    ward.until_idle()
    schema = ward.workbench.workspace.schema
    assert hospital_codes(load_settings(paths.config_file()), schema).rows.keys() == schema.by_id.keys()


def picture(dialog: ImportDialog, name: str) -> None:
    """Keeps a picture of a step where somebody asked for them."""
    import os

    if kept := os.environ.get("WARDLIGHT_PICTURES"):
        lay_out()
        dialog.grab().save(str(Path(kept, f"{name}-{dialog.width()}x{dialog.height()}.png")))


def lines(tree: Any) -> list[list[str]]:
    return [
        [tree.topLevelItem(place).text(column) for column in range(tree.columnCount())]
        for place in range(tree.topLevelItemCount())
    ]


def leave(ward: Ward, words: str) -> str:
    """Presses Esc and answers the question that comes, which it returns."""
    asked: list[str] = []

    def answer() -> None:
        question = QApplication.activeModalWidget()
        if isinstance(question, Question):
            timer.stop()
            asked.append(question.question)
            ward.click(question.buttons[words])

    timer = QTimer()
    timer.timeout.connect(answer)
    timer.start(5)
    ward.key(ESCAPE)
    assert asked, "nothing was asked"
    return asked[0]


def use(ward: Ward, dialog: ImportDialog) -> None:
    """Goes on from the checks to the end."""
    for page in (dialog.checks, dialog.rows, dialog.codes):
        ward.until(lambda page=page: dialog.page is page)
        ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.trial)
    ward.click(dialog.next)
    ward.until(lambda: dialog.page is dialog.use)
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()


@pytest.mark.parametrize("size", [QSize(1320, 700), QSize(1240, 650)], ids=["1366x768", "1280x720"])
def test_from_a_folder_to_the_first_filled_dictation(ward: Ward, folder: Path, size: QSize) -> None:
    dialog = begin(ward)
    dialog.resize(size)
    ward.type(str(folder))
    picture(dialog, "1-folder")
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.sources)
    found = {line[0]: line[1:] for line in lines(dialog.sources.sources)}
    assert found["flowsheet_rows.csv"][:2] == ["rows of the flowsheet", "13"]
    assert found["charted_values.csv"][0] == "charted values"
    columns = {line[0]: line[1:] for line in lines(dialog.sources.columns)}
    assert columns["PAT_NAME"][:2] == ["a person; it is not used", "not shown: identifies people"]
    assert columns["MEAS_VALUE"][0] == "the charted value"
    assert "ROW_ID leads to ROW_ID of flowsheet_rows.csv" in dialog.sources._structure.text()
    picture(dialog, "2-contents")

    ward.key(ENTER)
    assert dialog.page is dialog.questions
    assert dialog.questions.question.text() == "What is charted in 'Belongings'?"
    picture(dialog, "3-question")
    ward.key(ENTER)
    assert dialog.questions.question.text() == "What is charted in 'Visitors present'?"
    ward.key(Qt.Key.Key_3)
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.checks)
    assert dialog.checks.verdict.text() == "All required checks passed."
    picture(dialog, "4-checks")

    ward.key(ENTER)
    assert dialog.page is dialog.rows
    ward.type("nasal")
    assert dialog.rows.rows.count.text() == "1 of 13 rows"
    chain = dialog.rows.rows.chain.toPlainText()
    assert "flowsheet_rows.csv" in chain
    assert "Nasal cannula -> 501-2" in chain
    picture(dialog, "5-rows")
    ward.key(ENTER)
    assert dialog.page is dialog.codes
    ward.key(ENTER)
    assert dialog.page is dialog.trial
    ward.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    ward.type(SAID)
    ward.click(dialog.trial.fill)
    ward.until(lambda: dialog.trial.values.topLevelItemCount() == 3)
    values = {line[0]: line[1] for line in lines(dialog.trial.values)}
    assert values == {"Heart rate": "112 /min", "Respiratory rate": "22 /min", "Oxygen device": "Nasal cannula"}
    picture(dialog, "6-try")

    ward.click(dialog.next)
    assert dialog.page is dialog.use
    ward.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    ward.type("Ward 7 North")
    picture(dialog, "7-use")
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    assert_coded(ward)
    schema = Path(load_settings(paths.config_file()).schema)
    assert schema.parent.parent == paths.contracts_dir()
    assert ward.workbench.workspace.schema.name == "Ward 7 North"
    assert ward.workbench.workspace.schema.row("visitors").value_type == "yes_no"
    contract = json.loads((schema.parent / "contract.json").read_text(encoding="utf-8"))
    assert [one["question"] for one in contract["decisions"]] == ["type:belongings", "type:visitors"]
    assert not list(paths.contracts_dir().glob("answers-*")), "the contract has the answers now"

    ward.add_patient()
    ward.open_text(text=SAID)
    ward.until(lambda: {value.row_id for value in ward.values()} == {"hr", "rr", "device"})


def test_codes_are_used_once_a_person_accepts_them(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    dialog.resize(1320, 700)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.checks)
    ward.click(dialog.steps[dialog.codes])
    page = dialog.codes
    shown = {line[0]: line[1:] for line in lines(page.codes)}
    assert shown["Heart rate"] == ["/min", "not decided", "8867-4", "Heart rate", "agrees exactly"]
    assert {line[1] for line in shown.values()} == {"not decided"}
    assert page.state.startswith("0 of ")
    assert "LOINC 8867-4  Heart rate (agrees exactly)" in dialog.rows.rows.chain.toPlainText()
    picture(dialog, "6-codes-open")

    choose(page.codes, "Temperature")
    ward.click(page.reject)
    offered = page.exact.text()
    ward.click(page.exact)
    assert offered.endswith(f"({[line[2] for line in lines(page.codes)].count('accepted')})")
    assert not page.exact.isEnabled()
    choose(page.codes, "Respiratory rate")
    ward.click(page.reject)
    shown = {line[0]: line[1:] for line in lines(page.codes)}
    assert shown["Heart rate"][1:3] == ["accepted", "8867-4"]
    assert shown["Temperature"][1:3] == shown["Respiratory rate"][1:3] == ["no code", ""]
    picture(dialog, "6-codes")

    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.trial)
    ward.click(dialog.steps[page])
    assert {line[0]: line[1:] for line in lines(page.codes)} == shown, "read again with the answers"
    choose(page.codes, "Respiratory rate")
    ward.click(page.accept)
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.trial)
    ward.click(dialog.next)
    ward.key(ENTER)
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    schema = ward.workbench.workspace.schema
    assert (schema.row("hr").loinc, schema.row("rr").loinc, schema.row("temp").loinc) == ("8867-4", "9279-1", None)

    # the decisions live through an import of the same exports
    dialog = read(ward, folder)
    assert {line[0]: line[2] for line in lines(dialog.codes.codes)}["Temperature"] == "no code"
    assert dialog.questions.open == 0
    dialog.done(0)


def test_another_role_reads_the_exports_again(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    page = dialog.sources
    page.sources.setCurrentItem(page.sources.findItems("flowsheet_rows.csv", Qt.MatchFlag.MatchExactly)[0])
    page.columns.setCurrentItem(page.columns.findItems("ROW_GROUP", Qt.MatchFlag.MatchExactly)[0])
    page.role.setFocus()
    ward.type("an order")
    ward.key(ENTER)
    ward.until(
        lambda: dialog.read and any(one.role == "order" and one.field == "ROW_GROUP" for one in dialog.read.found.roles)
    )
    ward.until_idle()
    column = page.columns.currentItem()
    assert [column.text(0), column.text(1), column.text(3)] == ["ROW_GROUP", "an order", "decided by a person"]
    assert dialog.read
    assert {row.categories for row in dialog.read.contract.rows} == {()}
    dialog.done(0)


def test_a_question_about_a_column_says_what_each_answer_would_do(ward: Ward, folder: Path) -> None:
    file = folder / "flowsheet_rows.csv"
    head, *rows = file.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},NURS R {line.split(',')[1].upper()}" for line in rows]
    file.write_text("\n".join([f"{head},SPOKEN", *rows]) + "\n", encoding="utf-8")
    dialog = read(ward, folder)
    ward.key(ENTER)
    assert dialog.questions.question.text() == "What does the column SPOKEN of flowsheet_rows.csv hold?"
    names = [choice.text() for choice in dialog.questions.choices]
    assert names[1] == "2  the name of a row, as nurses read it"
    effects = [choice.accessibleDescription() for choice in dialog.questions.choices]
    assert effects[1].startswith("Rows are called “NURS R HEART RATE”")
    assert effects[1].endswith("ROW_NAME holds this now")
    picture(dialog, "3-question-about-a-column")
    ward.key(Qt.Key.Key_2)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    before = dialog.read
    ward.key(ENTER)
    ward.until(lambda: dialog.read is not before)  # the new names bring questions of their own
    assert dialog.read
    roles = {one.field: one.role for one in dialog.read.found.roles if one.source == "flowsheet_rows.csv"}
    assert (roles["SPOKEN"], roles["ROW_NAME"]) == ("row-name", "row-alias")
    assert next(row for row in dialog.read.contract.rows if row.id == "hr").name == "NURS R HEART RATE"
    dialog.done(0)


def test_answers_outlive_the_window(new_ward: Callable[..., Ward], folder: Path) -> None:
    ward = new_ward()
    ward.until_ready()
    dialog = read(ward, folder)
    ward.key(ENTER)
    ward.key(Qt.Key.Key_2)
    ward.key(ENTER)  # one of two is answered
    ward.until_idle()
    ward.close()
    again = new_ward()
    again.until_ready()
    dialog = read(again, folder)
    again.key(ENTER)
    assert dialog.questions.number.text().startswith("Question 1 of 1")
    assert dialog.read
    assert next(row for row in dialog.read.contract.rows if row.id == "belongings").value_type == "numeric"
    dialog.done(0)


def test_the_rest_is_answered_as_suggested(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    assert dialog.questions.state == "answered"
    ward.key(ENTER)
    ward.until(lambda: dialog.page is dialog.checks)
    assert dialog.read
    assert [one.answer for one in dialog.read.contract.decisions] == ["text", "text"]
    assert dialog.read.questions == ()
    dialog.done(0)


def test_reading_is_stopped_in_the_middle(ward: Ward, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_folder: Path, _former: object, _decisions: object, monitor: Any) -> None:
        from models.base.progress import Progress, stop_if

        monitor.report(Progress("contract", 0.25, "charted_values.csv: 1,000 lines"))
        while True:
            stop_if(monitor.cancelled)

    monkeypatch.setattr("app.services.contracts.service.read_exports", endless)
    dialog = begin(ward)
    ward.type(str(folder))
    ward.key(ENTER)
    ward.until(lambda: dialog._told.text() == "charted_values.csv: 1,000 lines")
    assert dialog.bar.value() == 250
    ward.click(dialog.stop)
    ward.until(lambda: not dialog.stop.isVisible())
    assert (dialog.page, dialog.read, dialog.error) == (dialog.folder, None, "")
    assert dialog.next.isEnabled()
    dialog.done(0)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "holds no files"),
        ({"notes.txt": "Nothing of use"}, "None of these files lists the rows"),
        ({"beds.csv": "BED,FLOOR\n1,2\n2,2\n3,3\n"}, "None of these files lists the rows"),
    ],
    ids=["empty", "no table", "no rows"],
)
def test_a_folder_without_rows_is_refused(ward: Ward, tmp_path: Path, files: dict[str, str], says: str) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    before = ward.workbench.settings.current
    dialog = begin(ward)
    ward.type(str(folder))
    ward.key(ENTER)
    ward.until(lambda: says in dialog.error)
    assert dialog.page is dialog.folder
    assert ward.workbench.settings.current == before
    dialog.done(0)


def test_what_is_dropped_is_the_folder_or_a_file_in_it(ward: Ward, folder: Path) -> None:
    dialog = begin(ward)
    dialog.folder.take([folder / "flowsheet_rows.csv"])
    assert dialog.folder.folder == folder
    dialog.folder.take([folder.parent])
    assert dialog.folder.folder == folder.parent
    dialog.done(0)


def test_escape_asks_if_something_was_read(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    assert leave(ward, "Stay") == "Leave the import?"
    assert dialog.isVisible()
    dialog.activateWindow()
    assert leave(ward, "&Leave") == "Leave the import?"
    assert ward.window.contracts.dialog is None


def test_escape_closes_at_once_if_nothing_was_read(ward: Ward) -> None:
    begin(ward)
    ward.key(ESCAPE)
    assert ward.window.contracts.dialog is None


def test_a_failed_check_forbids_the_use(
    ward: Ward, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from extraction.contract import gates

    monkeypatch.setattr(gates, "_leaks", lambda _: ["charted_values.csv PAT_NAME"])
    report = tmp_path / "checks.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(report), ""))
    dialog = read(ward, folder)
    ward.click(dialog.steps[dialog.checks])
    assert "charted_values.csv PAT_NAME keeps what identifies people" in dialog.checks.verdict.text()
    assert ["people", "failed"] in [line[:2] for line in lines(dialog.checks.checks)]
    ward.click(dialog.checks.save)
    ward.until_idle()
    assert "may NOT be used. people: charted_values.csv PAT_NAME" in report.read_text(encoding="utf-8")
    ward.click(dialog.steps[dialog.use])
    assert not dialog.next.isEnabled()
    dialog.done(0)


def test_a_later_export_updates_what_is_in_use(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    ward.key(ENTER)
    use(ward, dialog)
    former = Path(load_settings(paths.config_file()).schema)

    changed = [("pain", "Pain score", "String", "", "", "", "") if row[0] == "pain" else row for row in ROWS]
    changed = [
        ("temp", "Temperature", "Numeric", "", "degF", "86", "110") if row[0] == "temp" else row for row in changed
    ]
    write_rows(folder, [*changed, ("gait", "Gait", "String", "", "", "", "")])
    dialog = read(ward, folder)
    assert dialog.folder.update_it.isChecked()
    ward.click(dialog.steps[dialog.changes])
    shown = lines(dialog.changes.changes)
    assert [line[0] for line in shown[:3]] == ["conflict", "conflict", "new row"]
    assert shown[0][2] == "Temperature: its unit is degF now; Cel stands until somebody decides"
    assert shown[0][1] == shown[1][1] == "keep as it is"
    picture(dialog, "8-changes")
    ward.click(dialog.changes.take)
    ward.key(ENTER)
    use(ward, dialog)
    schema = ward.workbench.workspace.schema
    assert Path(load_settings(paths.config_file()).schema) == former
    assert_coded(ward)
    assert (schema.version, schema.row("temp").unit, schema.row("pain").value_type) == ("2", "degF", "numeric")
    assert schema.row("gait").name == "Gait"

    def look(catalogue: Any) -> None:
        history = [catalogue.history.item(place).text() for place in range(catalogue.history.count())]
        assert any("Temperature: its unit is degF instead of Cel" in entry for entry in history)
        QTest.keyClicks(catalogue.rows.search, "temp")
        assert catalogue.rows.row.id == "temp"
        picture(catalogue, "9-catalogue")

    ward.window.contracts.show_catalogue()
    ward.in_dialog(ward.until_idle, look)


def test_a_conflict_that_was_kept_is_listed_in_the_next_update(ward: Ward, folder: Path) -> None:
    dialog = read(ward, folder)
    ward.key(ENTER)
    ward.click(dialog.questions.rest)
    ward.key(ENTER)
    use(ward, dialog)
    write_rows(
        folder, [("temp", "Body temp", "Numeric", "", "degF", "86", "110") if row[0] == "temp" else row for row in ROWS]
    )
    dialog = read(ward, folder)
    ward.click(dialog.steps[dialog.changes])
    ward.click(dialog.changes.keep)
    ward.key(ENTER)
    use(ward, dialog)
    dialog = read(ward, folder)
    ward.click(dialog.steps[dialog.changes])
    shown = lines(dialog.changes.changes)
    assert [line[:2] for line in shown] == [["conflict", "keep as it is"]] * 2
    assert {line[2] for line in shown} == {
        "Temperature: its name is Body temp in an export; Temperature was kept by R. Nurse",
        "Temperature: its unit is degF in an export; Cel stands until somebody decides",
    }
    picture(dialog, "8-conflicts-kept")
    item = dialog.changes.changes.topLevelItem([line[2] for line in shown].index(shown[0][2]))
    dialog.changes.changes.setCurrentItem(item)
    ward.click(dialog.changes.take)
    ward.key(ENTER)
    use(ward, dialog)
    row = ward.workbench.workspace.schema.row("temp")
    assert (row.name == "Body temp") != (row.unit == "degF"), "one of them is decided"


def test_the_catalogue_tells_how_a_row_is_charted(ward: Ward, tmp_path: Path) -> None:
    dialog = read(ward, write_exports(tmp_path / "exports", shifts=8))
    ward.click(dialog.steps[dialog.questions])
    ward.click(dialog.questions.rest)
    ward.key(ENTER)
    use(ward, dialog)

    def look(catalogue: Any) -> None:
        rows = catalogue.rows
        QTest.keyClicks(rows.search, "oxygen device")
        charted = HEADS.index("Charted")
        assert rows.model.index(0, charted).data().endswith("% of days")
        told = rows.chain.toPlainText()
        assert "32 times for 3 patients, last in 2026-03" in told
        assert "50%  Room air" in told
        assert "Room air -> 501-1" in told
        rows.search.clear()
        QTest.keyClicks(rows.search, "belongings")
        assert rows.model.index(0, charted).data() == "never"
        rows.search.clear()
        QTest.keyClicks(rows.search, "heart rate")
        assert "64 to 101; half of them" in rows.chain.toPlainText()
        picture(catalogue, "10-history")

    ward.window.contracts.show_catalogue()
    ward.in_dialog(ward.until_idle, look)


def test_without_models_the_trial_says_so(new_ward: Callable[..., Ward], folder: Path) -> None:
    ward = new_ward(FakeEngine(missing=("qwen2.5-coder-1.5b-q4",)))
    ward.until_ready()
    dialog = read(ward, folder)
    ward.click(dialog.steps[dialog.trial])
    assert "models are not installed" in dialog.trial.said.text()
    assert not dialog.trial.fill.isEnabled()
    assert isinstance(dialog.next, QPushButton)
    assert dialog.next.isEnabled()
    dialog.done(0)


def test_a_trial_says_how_far_it_is_and_is_stopped(new_ward: Callable[..., Ward], folder: Path) -> None:
    engine = FakeEngine()
    engine.before_fill.extend([until_cancelled, die])
    ward = new_ward(engine)
    ward.until_ready()
    dialog = read(ward, folder)
    dialog.resize(1320, 700)
    ward.click(dialog.steps[dialog.trial])
    trial = dialog.trial
    ward.click(trial.fill)
    ward.until(lambda: trial.strip.far.startswith("40%  ·  8 of 18 rows  ·  0:"))
    assert trial.strip.text == "Trial: filling values"
    assert not trial.fill.isEnabled()
    picture(dialog, "6-try-running")
    trial.strip._begun -= 75
    trial.strip._tick.timeout.emit()
    assert trial.strip.far == "40%  ·  8 of 18 rows  ·  1:15"
    ward.click(trial.strip.cancel)
    ward.until(lambda: trial.said.text() == "Stopped.")
    assert not trial.strip.isVisible()
    ward.click(trial.fill)
    ward.until(lambda: "inference process ended" in trial.said.text())
    trial.text.setFocus()
    ward.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    ward.type(SAID)
    ward.click(trial.fill)
    ward.until(lambda: trial.said.text().startswith("3 values proposed. It took 0:0"))
    dialog.done(0)


def test_a_flowsheet_that_was_not_imported_has_no_catalogue(ward: Ward) -> None:
    ward.window.actions_["catalogue"].trigger()
    assert "was not imported" in ward.window.message.text
