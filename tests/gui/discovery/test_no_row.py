"""What has no row is found, shown with its sentences, and becomes a row, another name, or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox

from app.services.discovery.decisions_file import read_decisions
from app.system import paths
from extraction.flowsheet.schema import ValueType
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import until_cancelled
from ui.discovery.no_row_dialog import NoRowDialog
from ui.discovery.row_form import AliasForm, RowForm


@pytest.fixture
def page(ward: Ward) -> NoRowDialog:
    """The page, with three dictations of three patients in the store."""
    for number in range(3):
        ward.add_patient(f"Patient {number}", str(number + 1), f"00{number}")
        ward.open_text(
            f"{number}.txt", f"Heart rate is 112. Pedal bike {10 + number} minutes. Call light within reach."
        )
        ward.until_filled(f"{number}.txt")
    ward.window.actions_["no-row"].trigger()
    dialog = ward.window.discovery.dialog
    assert dialog
    dialog.activateWindow()
    return dialog


def in_form(act: Callable[[], object], kind: type[QDialog], do: Callable[[Any], None]) -> None:
    """Does `act`, which opens a form above the page, and `do` with it."""
    done: list[bool] = []

    def look() -> None:
        form = QApplication.activeModalWidget()
        if isinstance(form, kind) and form.isVisible() and not done:
            done.append(True)
            try:
                do(form)
            finally:
                if form.isVisible():
                    form.reject()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(5)
    act()
    timer.stop()
    assert done, "no form came"


def ok(form: Any) -> None:
    QTest.mouseClick(form.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)


def picture(dialog: Any, name: str) -> None:
    """Keeps a picture where somebody asked for them."""
    if kept := os.environ.get("WARDLIGHT_PICTURES"):
        lay_out()
        dialog.grab().save(str(Path(kept, f"{name}-{dialog.width()}x{dialog.height()}.png")))


def test_a_thing_becomes_a_row_another_a_name_and_both_can_be_undone(ward: Ward, page: NoRowDialog) -> None:
    page.resize(QSize(1080, 660))
    picture(page, "no-row-before")
    ward.click(page.look)
    ward.until(lambda: page.found and page.tree.topLevelItemCount() == 2)
    picture(page, "no-row")
    assert page.chosen
    assert "Call light within reach." in page.about.toPlainText()

    def bike(form: Any) -> None:
        assert form.type is ValueType.NUMERIC
        assert form.unit.text() == "min"
        picture(form, "no-row-make")
        ok(form)

    page.tree.setCurrentItem(page.tree.topLevelItem(1))
    assert page.chosen.name == "pedal bike minutes"
    in_form(lambda: ward.click(page.row), RowForm, bike)
    ward.until(lambda: page.tree.topLevelItemCount() == 1)

    def heart(form: Any) -> None:
        QTest.keyClicks(form.search, "heart rate")
        assert form.row_id == "hr"
        picture(form, "no-row-alias")
        ok(form)

    in_form(lambda: ward.click(page.alias), AliasForm, heart)
    ward.until(lambda: page.tree.topLevelItemCount() == 0)
    page.activateWindow()
    ward.click(page.undo)
    ward.until(lambda: page.tree.topLevelItemCount() == 1)
    ward.click(page.ignore)
    ward.until(lambda: page.tree.topLevelItemCount() == 0)
    kept = read_decisions(paths.data_dir())
    assert [(one.row.id if one.row else "", one.alias_of) for one in kept.decided] == [
        ("found.pedal_bike_minutes", ""),
        ("", ""),
    ]
    page.reject()


def test_looking_can_be_stopped(ward: Ward, page: NoRowDialog) -> None:
    ward.engine.before_discovery.append(until_cancelled)
    ward.click(page.look)
    ward.until(page.stop.isVisible)
    ward.until(lambda: not ward.engine.before_discovery)
    ward.click(page.stop)
    ward.until(lambda: page.look.isEnabled() and not page.stop.isVisible())
    assert page.found is None
    page.reject()
