"""Small widgets and layout helpers shared by several views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QIcon, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from models.base.errors import ResourceError

ALTERNATIVES_SHOWN = 9  # each has its own number key
_ICON_AND_GAP = QSize(24, 18)  # icons are left-aligned; the extra width is the gap to the text


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
        widget.setIconSize(_ICON_AND_GAP if text else QSize(18, 18))
    if tip:
        widget.setToolTip(tip)
        widget.setAccessibleDescription(tip)
    if not text:
        widget.setAccessibleName(tip)
    if clicked:
        widget.clicked.connect(lambda: clicked())  # noqa: PLW0108 - a signal's `emit` would be given `checked`
    return widget


def clearable(field: QLineEdit) -> None:
    """Gives a field the button that clears it."""
    field.setClearButtonEnabled(True)
    _name_buttons(field, "Clear")


def show_as_search(field: QLineEdit, icon: QIcon) -> None:
    """Makes a field one that finds something: with an icon, and the button that clears it."""
    field.addAction(icon, QLineEdit.ActionPosition.LeadingPosition)
    _name_buttons(field, "Search")
    clearable(field)


def _name_buttons(field: QLineEdit, name: str) -> None:
    """Names the buttons inside a field that have no name yet; Qt leaves screen readers without."""
    for inside in field.findChildren(QToolButton):
        if not inside.accessibleName():
            inside.setAccessibleName(name)


class ElidedLabel(QLabel):
    """A one-line label that is elided if space is short; its tooltip has the full text.

    Args:
        whole: show nothing rather than a part, such as half of a range.
    """

    def __init__(self, role: str = "", *, whole: bool = False) -> None:
        super().__init__()
        self._whole = whole
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        if shown == self.text() or not self._whole:
            painter.drawText(self.rect(), self.alignment(), shown)
        painter.end()


def key_hint(owner: QPushButton, key: str) -> None:
    """Shows a key at the right end of a button, replacing the one shown before."""
    cap = owner.findChild(QLabel)
    if not isinstance(cap, QLabel):
        cap = label(role="cap")
        cap.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layout = QHBoxLayout(owner)
        layout.setContentsMargins(0, 0, 9, 0)
        layout.addStretch(1)
        layout.addWidget(cap)
    cap.setText(key)
    cap.ensurePolished()
    owner.setStyleSheet(f"QPushButton {{ padding-right: {cap.sizeHint().width() + 16}px }}")


def come_into_view(widget: QWidget, *, with_room: bool = False) -> None:
    """Scrolls in a small window until a widget is in sight, `with_room` of its own height around it.

    Does nothing if it is hidden.
    """

    for milliseconds in (0, 50):  # nested layouts settle one level at a time
        QTimer.singleShot(milliseconds, widget, lambda: scroll_to(widget, with_room=with_room))


def scroll_to(widget: QWidget, *, with_room: bool = False) -> None:
    """Scrolls now, as it is laid out now (see `come_into_view`)."""
    around = widget.parentWidget() if widget.isVisible() else None
    while around:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget, 0, widget.height() if with_room else 0)
        around = around.parentWidget()


_WIDE = "M" * 20
_INSET = 8  # pixels


class ElidedButton(QPushButton):
    """A button whose text is elided if space is short; its accessible name has the full text."""

    def __init__(self, icon: QIcon, clicked: Callable[[], object] | None = None) -> None:
        super().__init__()
        self.setIcon(icon)
        self.setIconSize(_ICON_AND_GAP)
        if clicked:
            self.clicked.connect(lambda: clicked())  # noqa: PLW0108 - a slot would be given `checked`
        self.setAutoDefault(False)
        self._full, self._around = "", 0

    @property
    def words(self) -> str:
        """The whole text."""
        return self._full

    def show_words(self, words: str) -> None:
        """Sets the text."""
        self._full = words
        self.setAccessibleName(words)
        self._measure()
        self.updateGeometry()
        self._write()

    def sizeHint(self) -> QSize:
        return self._size_with(self._full)

    def minimumSizeHint(self) -> QSize:
        return self._size_with(self._full[:4] + "…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._measure()

    def _measure(self) -> None:
        """Measures icon, padding and border with a long text; with a short one, the button's minimum width counts."""
        self.ensurePolished()
        shown = self.text()
        self.setText(_WIDE)
        self._around = super().sizeHint().width() - self.fontMetrics().horizontalAdvance(_WIDE)
        self.setText(shown)

    def _size_with(self, text: str) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(text) + 4  # eliding counts fractions of pixels
        return QSize(self._around + wide, super().sizeHint().height())

    def _write(self) -> None:
        room = max(self.width() - self._around, 0)
        words = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room)
        self.setText(words.replace("&", "&&"))


class Chip(QPushButton):
    """A choice with its number key apart from its words, elided if space is short."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__()
        self.setProperty("kind", "chip")
        self.setAutoDefault(False)
        self._full = text
        tip = f"Enter “{text}” ({number})"
        self.setToolTip(tip)
        self.setAccessibleName(f"{number}, {text}")
        self.setAccessibleDescription(tip)
        self._write(text)
        key_hint(self, str(number))

    def sizeHint(self) -> QSize:
        return self._size_with(self._full)

    def minimumSizeHint(self) -> QSize:
        return self._size_with(self._full[:1] + "…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() >= self.sizeHint().width():
            self._write(self._full)
        else:
            room = self.width() - self._size_with("").width()
            self._write(self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room))

    def _size_with(self, text: str) -> QSize:
        around = super().sizeHint().width() - self._width(self.text().replace("&&", "&"))
        return QSize(around + self._width(text), super().sizeHint().height())

    def _width(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words)

    def _write(self, text: str) -> None:
        self.setText(text.replace("&", "&&"))  # a single & would underline the next letter


def number_of(key: int) -> int:
    """Number of the alternative that a key chooses; 0 for any other key."""
    number = key - Qt.Key.Key_0
    return number if 1 <= number <= ALTERNATIVES_SHOWN else 0


class IconLabel(QWidget):
    """An icon on its own, in the colours of the current theme."""

    def __init__(self, icon: QIcon, size: int = 18) -> None:
        super().__init__()
        self._icon = icon
        self.setFixedSize(size, size)

    def show_icon(self, icon: QIcon) -> None:
        """Replaces the icon."""
        self._icon = icon
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._icon.paint(painter, self.rect())
        painter.end()


def rule() -> QFrame:
    """A thin separator line."""
    frame = QFrame()
    frame.setObjectName("rule")
    return frame


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Sets a property that the style sheet uses, and reapplies the style."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        for part in (widget, *widget.findChildren(QLabel)):
            part.style().unpolish(part)
            part.style().polish(part)


def inset(field: QAbstractSpinBox) -> None:
    """Keeps the text of a spin box away from its border, which the style sheet's padding does not do."""
    text = field.findChild(QLineEdit)
    if isinstance(text, QLineEdit):
        text.setTextMargins(_INSET, 0, 0, 0)


def clear(layout: QLayout) -> None:
    """Removes all widgets from a layout and deletes them."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()


def heading(title: str, note: QWidget, *buttons: QWidget, below: QWidget | None = None) -> QWidget:
    """A title with a note beside it, perhaps a line below them, and buttons on the right."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(12, 3, 6, 3)
    layout.setSpacing(6)
    first = QHBoxLayout()
    first.setSpacing(10)
    first.addWidget(label(title, "title"))
    first.addWidget(note, 1)
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addLayout(first)
    if below:
        words.addWidget(below)
    layout.addLayout(words, 1)
    for widget in buttons:
        widget.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        layout.addWidget(widget)
    line.setMinimumHeight(42)
    return line


def lay_out_bar(
    bar: QFrame, icon: QWidget, words: Sequence[QWidget], buttons: Sequence[QWidget], *, air: int = 9
) -> None:
    """Lays out a bar: an icon, lines of text, and buttons on the right; `air` is the margin above and below."""
    said = QVBoxLayout()
    said.setSpacing(1)
    for line in words:
        said.addWidget(line)
    layout = QHBoxLayout(bar)
    layout.setContentsMargins(14, air, 10, air)
    layout.setSpacing(12)
    layout.addWidget(icon)
    layout.addLayout(said, 1)
    for widget in buttons:
        layout.addWidget(widget)


def card(layout: QVBoxLayout) -> QFrame:
    """A framed part of a page."""
    frame = QFrame()
    frame.setObjectName("card")
    frame.setLayout(layout)
    return frame


def only(widget: QWidget) -> QVBoxLayout:
    """The layout of a card that holds one widget."""
    layout = QVBoxLayout()
    layout.setContentsMargins(1, 1, 1, 1)
    layout.addWidget(widget)
    return layout


def show_folder(folder: str) -> None:
    """Shows a folder in the system's own window. Raises ResourceError if it is gone, or there is no such program."""
    if not Path(folder).is_dir():
        raise ResourceError(f"The folder {folder} is not there any more.", "Connect the drive that it is on, if any.")
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(folder)):
        raise ResourceError("This computer has no program that shows folders.", f"The files are in {folder}.")
