"""What has no row is found, shown with its sentences, and becomes a row, another name, or nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from app.services.discovery.decisions_file import read_decisions
from app.system import paths
from extraction.flowsheet.schema import ValueType
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import until_cancelled
from ui.discovery.no_row_dialog import NoRowDialog


@pytest.fixture
def page(ward: Ward) -> NoRowDialog:
    """The page, with three dictations of three patients in the store."""
    for number in range(3):
        ward.window.selection.clear() if hasattr(ward.window.selection, "clear") else None
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

    ward.until(lambda: page.tree.topLevelItem(1))
    page.tree.setCurrentItem(page.tree.topLevelItem(1))
    assert page.chosen.name == "pedal bike minutes"
    ward.in_dialog(lambda: ward.click(page.row), bike)
    ward.until(lambda: page.tree.topLevelItemCount() == 1)

    def heart(form: Any) -> None:
        QTest.keyClicks(form.search, "heart")
        assert form.row_id == "hr"
        picture(form, "no-row-alias")
        ok(form)

    page.activateWindow()
    ward.in_dialog(lambda: ward.click(page.alias), heart)
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
