"""Context menu of a flowsheet value: its actions from the menu bar, and undoing its decision."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from app.chart.records import ReviewStatus
from ui.kit.actions import ONE_VALUE
from ui.kit.theme import Theme
from ui.review.review_page import ReviewPage
from ui.shell.actions import Actions


def open_value_menu(theme: Theme, actions: Actions, page: ReviewPage, place: QPoint, parent: QWidget) -> None:
    """Opens the context menu of the chosen value."""
    value = page.current
    if value is None:
        return
    menu = QMenu(parent)
    menu.setAccessibleName("Value")
    menu.addActions([action for action in actions.groups[ONE_VALUE] if action.isVisible()])
    menu.addSeparator()
    reopen = menu.addAction(theme.icon("undo"), "&Undo decision")
    reopen.setEnabled(page.decidable and value.status is not ReviewStatus.PROPOSED)
    reopen.triggered.connect(lambda: page.act("reopen"))
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(place)
