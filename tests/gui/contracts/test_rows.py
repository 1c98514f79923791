"""The rows of an import: what was left out and why, rows taken in again, and rows that chart the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.conftest import Ward, lay_out
from tests.gui.contracts.test_import import lines, picture, read, use
from tests.kit.ward_exports import ROWS, write_exports
from ui.contracts.import_dialog import ImportDialog
from ui.contracts.sources_page import choose

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
MORE = (
    "pulse,Pulse,Numeric,,/min,20,250,Assessment,Y",
    "gait,Gait,String,,,,,Assessment,N",
    "temp-old,Temperature,Numeric,,Cel,30,43,Vital signs,N",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_exports(tmp_path / "exports")
    with (folder / "flowsheet_rows.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in MORE)
    return folder


def read_rows(ward: Ward, folder: Path) -> ImportDialog:
    """Reads the folder and goes to the rows."""
    dialog = read(ward, folder)
    dialog.resize(1320, 700)
    ward.key(Qt.Key.Key_Return)
    ward.click(dialog.questions.rest)
    ward.key(Qt.Key.Key_Return)
    ward.until(lambda: dialog.page is dialog.checks)
    ward.click(dialog.steps[dialog.rows])
    return dialog


def test_what_was_left_out_is_named_and_a_row_is_taken_in_again(ward: Ward, folder: Path) -> None:
    dialog = read_rows(ward, folder)
    page, view = dialog.rows, dialog.rows.left_out
    assert [head.text() for head in page.heads.values()] == ["&In use (14)", "&Left out (2)", "&Alike (1, 1 to decide)"]
    ward.key(Qt.Key.Key_L, ALT)
    ward.until(view.isVisible)
    listed = len(ROWS) + len(MORE)
    assert view.summary.text() == f"The lists of rows have {listed} lines; 14 rows are in use, 2 left out."
    assert view.counts.text().splitlines() == [
        "1  no longer in use, as the exports say",
        "1  another id of a row in use",
    ]
    assert lines(view.lines) == [
        ["Gait", "gait", "flowsheet_rows.csv, line 16", "no longer in use, as the exports say"],
        [
            "Temperature",
            "temp-old",
            "flowsheet_rows.csv, line 17",
            "another id of a row in use: its values count for Temperature (temp)",
        ],
    ]
    picture(dialog, "5-rows-left-out")

    choose(view.lines, "Gait")
    ward.key(Qt.Key.Key_T, ALT)
    ward.until(lambda: page.heads[page.rows].text() == "&In use (15)")
    ward.until(lambda: view.lines.hasFocus())
    assert lines(view.lines)[0] == ["Gait", "gait", "", "in use: a person took it in"]
    picture(dialog, "5-rows-taken-in")
    ward.key(Qt.Key.Key_Z, CTRL)
    ward.until(lambda: page.heads[page.rows].text() == "&In use (14)")
    ward.until(lambda: view.lines.hasFocus())
    choose(view.lines, "Gait")
    ward.click(view.take)
    ward.until(lambda: page.heads[page.rows].text() == "&In use (15)")
    ward.click(dialog.steps[dialog.checks])
    use(ward, dialog)
    assert ward.workbench.workspace.schema.row("gait").name == "Gait"

    dialog = read(ward, folder)
    assert dialog.rows.heads[dialog.rows.rows].text() == "&In use (15)", "the decision lives through later imports"
    dialog.done(0)


def test_the_report_names_what_was_left_out(ward: Ward, folder: Path, tmp_path: Path) -> None:
    dialog = read_rows(ward, folder)
    assert dialog.read
    path = tmp_path / "report.txt"
    ward.workbench.contracts.save_report(dialog.read, "Ward 7", path)
    ward.until_idle()
    report = path.read_text(encoding="utf-8")
    assert "     16  lines in the lists of rows\n     14  rows in use\n" in report
    assert "      1  left out: no longer in use, as the exports say" in report
    assert "Gait (gait), flowsheet_rows.csv, line 16: no longer in use, as the exports say" in report
    ward.workbench.contracts.save_report(dialog.read, "Ward 7", tmp_path / "report.pdf")
    ward.until_idle()
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    dialog.done(0)


def test_alike_rows_are_confirmed_with_keys_and_shown_in_the_catalogue(ward: Ward, folder: Path) -> None:
    dialog = read_rows(ward, folder)
    page, view = dialog.rows, dialog.rows.alike
    ward.key(Qt.Key.Key_A, ALT)
    ward.until(view.isVisible)
    assert lines(view.groups) == [["heart rate", "Heart rate, Pulse", "80%", "not decided"]]
    assert [line[:2] for line in lines(view.members)] == [["Heart rate", "hr"], ["Pulse", "pulse"]]
    picture(dialog, "5-rows-alike")
    ward.key(Qt.Key.Key_D, ALT)
    ward.until(lambda: lines(view.groups)[0][2:] == ["", "do not"])
    ward.key(Qt.Key.Key_Z, CTRL)
    assert lines(view.groups)[0][2:] == ["80%", "not decided"]
    assert not view.undo.isEnabled()
    ward.key(Qt.Key.Key_S, ALT)
    ward.until(lambda: lines(view.groups)[0][2:] == ["", "chart the same"])
    assert page.heads[view].text() == "&Alike (1)"
    picture(dialog, "5-rows-alike-confirmed")
    ward.click(dialog.steps[dialog.checks])
    use(ward, dialog)

    def look(catalogue: Any) -> None:
        QTest.keyClicks(catalogue.rows.search, "pulse")
        lay_out()
        assert (
            "charts the same in another way: heart rate (confirmed by R. Nurse)" in catalogue.rows.chain.toPlainText()
        )
        picture(catalogue, "9-catalogue-alike")

    ward.window.contracts.show_catalogue()
    ward.in_dialog(ward.until_idle, look)
