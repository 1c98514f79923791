"""A handover as a nurse makes it: looked at, written to, printed; and the note of a dictation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from app.store import Store
from app.system import paths
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import CTRL, SHIFT
from tests.kit.charted import ADA, DAY, LINDQVIST, Days
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from ui.handover.handover_dialog import HandoverDialog
from ui.handover.note_dialog import NoteDialog
from ui.handover.ward_dialog import WardHandoverDialog

TO_DO = "Recheck potassium at 22:00"


@pytest.fixture
def filed(
    new_ward: Callable[..., Ward], out: Path, calibrated: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Ward:
    """Five rounds of Ada are filed, the last of which is shown; Lindqvist has one."""
    days = Days(monkeypatch.setattr, tmp_path)
    with Store(paths.database_file()) as store:
        days.chart(store, f"{DAY}T03:20", {"hr": 70.0}, LINDQVIST, name="bed 7.txt")
        for hour, rate in (("04:10", 84.0), ("08:05", 92.0), ("12:20", 97.0), ("16:00", 104.0), ("20:15", 112.0)):
            number = days.chart(store, f"{DAY}T{hour}", {"hr": rate, "pain": 3.0, "urine": 200.0}, ADA)
            store.filings.file(number, "T. Early", [])
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.until_review()
    ward.window.resize(1366, 768)
    lay_out()
    return ward


def handover(ward: Ward, *do: Callable[[HandoverDialog], None]) -> None:
    """Opens the handover with one press, and does something with it."""

    def act() -> None:
        ward.key(Qt.Key.Key_D, CTRL)
        ward.until(lambda: ward.window.handover.dialog)
        ward.until_idle()

    ward.window.handover.dialog = None
    ward.in_dialog(act, *do)


def test_one_press_from_a_filed_dictation_shows_the_handover(filed: Ward, tmp_path: Path) -> None:
    def look(dialog: HandoverDialog) -> None:
        lay_out()
        text = dialog.text.toPlainText()
        assert "Hawthorne, Ada · MRN 004711 · bed 12" in text
        assert "Heart rate: 112 /min" in text
        assert "↑ rising over 5 values" in text
        assert "in not charted, out" in text
        dialog.grab().save(str(tmp_path / "handover.png"))

    handover(filed, look)


def test_what_is_written_is_kept_with_who_wrote_it(filed: Ward) -> None:
    def write(dialog: HandoverDialog) -> None:
        assert not dialog.changed()
        next(iter(dialog.choices.values())).setChecked(True)
        dialog.fields["to_do"].setPlainText(TO_DO)
        assert dialog.changed() == {"severity": "stable", "to_do": TO_DO}
        dialog.save.click()

    def look(dialog: HandoverDialog) -> None:
        assert dialog.fields["to_do"].toPlainText() == TO_DO
        assert not dialog.changed()
        assert "R. Nurse" in dialog.text.toPlainText()

    handover(filed, write)
    filed.until_idle()
    handover(filed, look)


def test_what_is_written_is_not_lost_when_the_page_is_closed(filed: Ward) -> None:
    handover(filed, lambda dialog: dialog.fields["issues"].setPlainText("Confused since noon"))
    filed.until_idle()
    stay = filed.window.page.sheet.dictation.encounter_id  # type: ignore[union-attr]
    kept = filed.workbench.workspace.store.handover_entries.of(stay)
    assert {part: (one.content, one.reviewer) for part, one in kept.items()} == {
        "issues": ("Confused since noon", "R. Nurse")
    }


def test_a_value_leads_to_its_dictation(filed: Ward) -> None:
    sheet = filed.window.page.sheet
    assert sheet
    handover(filed, lambda dialog: dialog.text.anchorClicked.emit(QUrl("dictation:2")))
    filed.until(lambda: filed.window.page.sheet and filed.window.page.sheet.dictation.id == 2)


def test_the_page_is_written_into_a_pdf(filed: Ward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "handover.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    handover(filed, lambda dialog: dialog.pdf.click())
    filed.until(path.exists)
    assert path.read_bytes().startswith(b"%PDF")


def test_the_ward_is_a_list_that_leads_to_each_page(filed: Ward, tmp_path: Path) -> None:
    def choose(dialog: WardHandoverDialog) -> None:
        lay_out()
        text = dialog.text.toPlainText()
        assert text.index("Lindqvist, Maja") < text.index("Hawthorne, Ada"), "by bed"
        dialog.grab().save(str(tmp_path / "ward.png"))
        dialog.text.anchorClicked.emit(QUrl("patient:1"))

    def look(dialog: HandoverDialog) -> None:
        assert "Lindqvist, Maja" in dialog.text.toPlainText()

    def act() -> None:
        filed.key(Qt.Key.Key_D, CTRL | SHIFT)
        filed.until(lambda: filed.window.handover.dialog)
        filed.until_idle()

    filed.in_dialog(act, choose, look)


def test_the_note_has_the_confirmed_values_and_nothing_else(filed: Ward, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"

    def look(dialog: NoteDialog) -> None:
        dialog.copy.click()
        dialog.save_asked.emit(path)
        dialog.grab().save(str(tmp_path / "note.png"))
        hr = next(value for value in filed.values() if value.row_id == "hr")
        dialog.text.anchorClicked.emit(QUrl(f"value:{hr.id}"))

    def act() -> None:
        filed.key(Qt.Key.Key_T, CTRL)
        filed.until(lambda: QGuiApplication.clipboard().text().startswith("Hawthorne"))
        filed.until_idle()

    QGuiApplication.clipboard().clear()
    filed.in_dialog(act, look)
    filed.until(path.exists)
    text = QGuiApplication.clipboard().text()
    assert path.read_text(encoding="utf-8") == f"{text}\n"
    assert "Heart rate 112 /min" in text
    assert text.rstrip().endswith("Confirmed by T. Early.")
    assert filed.window.page.current
    assert filed.window.page.current.row_id == "hr"
