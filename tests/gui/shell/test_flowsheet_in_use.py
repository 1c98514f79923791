"""The head of the window names the flowsheet that new dictations are filled with, and leads to where it is changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.gui.conftest import NARROW, Ward, lay_out


def picture(ward: Ward, name: str) -> None:
    """Keeps a picture of the window where somebody asked for them."""
    if kept := os.environ.get("WARDLIGHT_PICTURES"):
        lay_out()
        ward.window.grab().save(str(Path(kept, f"{name}.png")))


def test_the_flowsheet_in_use_is_named_and_can_be_changed(ward: Ward) -> None:
    banner, schema = ward.window.banner, ward.workbench.workspace.schema
    ward.window.resize(1366, 740)
    assert banner.flowsheet.isVisible()
    assert banner.flowsheet.words == f"Flowsheet: {schema.name}"
    assert banner.flowsheet.accessibleName() == f"Flowsheet in use: {schema.name}"
    assert f"{len(schema.rows)} rows, version {schema.version}" in banner.flowsheet.toolTip()
    ward.add_patient()
    picture(ward, "flowsheet-in-use")

    def change(dialog: Any) -> None:
        lay_out()
        assert QApplication.focusWidget() is dialog.schema
        dialog.schema.clear()
        ward.click(dialog.save)
        ward.until(lambda: not dialog.isVisible())

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier), change)
    ward.until(lambda: schema.name not in banner.flowsheet.words)
    assert banner.flowsheet.words == f"Flowsheet: {ward.workbench.workspace.schema.name}"
    picture(ward, "flowsheet-changed")

    def look(dialog: Any) -> None:
        lay_out()
        assert QApplication.focusWidget() is dialog.schema

    ward.in_dialog(lambda: ward.click(banner.flowsheet), look)


def test_a_narrow_window_leaves_the_room_to_the_patient_and_the_menu_leads_there(ward: Ward) -> None:
    ward.window.resize(NARROW)
    ward.until(lambda: not ward.window.banner.flowsheet.isVisible())
    opened: list[str] = []
    ward.in_dialog(
        ward.window.actions_["flowsheet"].trigger, lambda dialog: opened.append(dialog.schema.accessibleName())
    )
    assert opened
