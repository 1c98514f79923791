"""Small pieces that several views are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QLabel, QLayout, QPushButton, QWidget


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """A label in one of the style sheet's roles; its text is never read as markup."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setProperty("role", role)
    widget.setWordWrap(wrap)
    return widget


def button(
    text: str, icon: QIcon | None = None, *, kind: str = "", tip: str = "", clicked: Callable[[], object] | None = None
) -> QPushButton:
    """A push button; `tip` says what it does and its key, and is also read out by screen readers."""
    widget = QPushButton(text)
    widget.setProperty("kind", kind)
    widget.setAutoDefault(False)  # in a dialog, Enter belongs to the field that has the cursor
    if icon:
        widget.setIcon(icon)
        widget.setIconSize(QSize(24 if text else 18, 18))  # icons are drawn on the left: the rest keeps the words off
    if tip:
        widget.setToolTip(tip)
        widget.setAccessibleDescription(tip)
    if not text:
        widget.setAccessibleName(tip)
    if clicked:
        widget.clicked.connect(lambda: clicked())  # noqa: PLW0108 - a signal's `emit` would be given `checked`
    return widget


def icon_label(icon: QIcon, size: int = 18) -> QLabel:
    widget = QLabel()
    widget.setPixmap(icon.pixmap(size, size))
    widget.setFixedSize(size, size)
    return widget


def rule() -> QFrame:
    """A thin line between parts."""
    frame = QFrame()
    frame.setObjectName("rule")
    return frame


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Sets a property that the style sheet looks at, and applies it."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def clear(layout: QLayout) -> None:
    """Takes all widgets out of a layout and lets them go."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
