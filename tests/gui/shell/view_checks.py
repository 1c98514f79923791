"""What is looked for in every view, control by control: each check tells what it finds amiss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from ui.kit.responsive_layout import Scrolled
from ui.kit.widgets import Chip, ElidedLabel
from ui.shell.window import MainWindow

CONTROLS = (
    QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView, QTextEdit,
    QPlainTextEdit,
)  # fmt: skip


def controls(window: QWidget) -> list[QWidget]:
    """What a person can use in a window, without what other controls are made of."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and widget.isVisible()
        and not isinstance(widget, QScrollBar | QHeaderView | QMenu)
        and not isinstance(widget.parent(), QComboBox | QAbstractSpinBox | QLineEdit | QMenuBar)
        and not _in_popup(widget)
    ]


def _in_popup(widget: QWidget) -> bool:
    return any("QComboBoxPrivateContainer" in type_of(parent) for parent in parents(widget)) or (
        isinstance(widget, QToolButton) and widget.objectName() == "qt_menubar_ext_button"
    )


def type_of(widget: QObject) -> str:
    return widget.metaObject().className()


def parents(widget: QWidget) -> Iterator[QWidget]:
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()


def told(widget: QWidget) -> str:
    """A widget as a failing test names it."""
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel | QLineEdit) else ""
    return f"{type(widget).__name__} {text or widget.accessibleName() or widget.objectName()!r}"


def spoken(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def unnamed(window: QWidget) -> list[str]:
    wanted = [*controls(window), *(bar for bar in window.findChildren(QProgressBar) if bar.isVisible())]
    return [told(widget) for widget in wanted if not spoken(widget).strip()]


def skipped(window: QWidget) -> list[str]:
    """Controls at which somebody never arrives who presses Tab until the cursor is back where it began."""
    expected = {widget for widget in controls(window) if widget.isEnabled() and not _reached_by_arrows(widget)}
    start = QApplication.focusWidget()
    reached = [start] if start else []
    for _ in range(3 * len(expected) + 30):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        if focus is None or (focus in reached and focus is reached[0] and len(reached) > 1):
            break
        reached.append(focus)
    if start:
        start.setFocus()
    arrived = {widget for focus in reached for widget in (focus, *parents(focus))}
    return [told(widget) for widget in expected if widget not in arrived and widget.focusProxy() not in arrived]


def _reached_by_arrows(widget: QWidget) -> bool:
    """Of buttons that exclude each other, Tab goes to the chosen one, where none is to the first, and the arrow keys to
    the others."""
    if not isinstance(widget, QAbstractButton) or widget.isChecked():
        return False
    group = widget.group()
    grouped = group is not None and group.exclusive() and group.checkedButton() is not None
    if grouped:
        return True
    alike = widget.parentWidget().findChildren(QRadioButton) if isinstance(widget, QRadioButton) else []
    chosen = [other for other in alike if other.isChecked()] or alike[:1]
    return bool(alike) and widget not in chosen


def same_letters(window: QWidget) -> list[str]:
    """Letters that stand for two things at once with Alt."""
    texts = [b.text() for b in controls(window) if isinstance(b, QAbstractButton) and b.isEnabled()]
    texts += [name.text() for name in window.findChildren(QLabel) if name.isVisible() and name.buddy()]
    if isinstance(window, QMainWindow):
        texts += [action.text() for action in window.menuBar().actions()]
    letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text.replace("&&", "")]
    return [letter for letter, count in Counter(letters).items() if count > 1]


def clipped(window: QWidget) -> list[str]:
    """Texts and controls of which a part is cut off where nobody can scroll to it."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, ElidedLabel | Chip) or _in_popup(widget):
            continue
        if isinstance(widget, QLabel) and widget.text() and widget.buddy() is None:
            if widget.wordWrap():
                needed = QSize(0, widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else 0)
            else:
                needed = widget.sizeHint()
        elif isinstance(widget, QLabel) and widget.text():
            needed = widget.sizeHint()
        elif isinstance(widget, QPushButton | QCheckBox | QRadioButton):
            needed = QSize(widget.sizeHint().width(), widget.minimumSizeHint().height())
        else:
            continue
        if widget.width() + 1 < needed.width() or widget.height() + 2 < needed.height():
            found.append(f"{told(widget)}: {widget.size().toTuple()} of {needed.toTuple()}")
        if outside := _outside(widget):
            found.append(f"{told(widget)} lies outside of {outside}")
    return found


def _outside(widget: QWidget) -> str:
    """In which part of the window it does not fit; what scrolls has room for all."""
    for parent in parents(widget):
        holder = parent.parentWidget()
        if isinstance(holder, QScrollArea) or parent.isWindow():
            top_left = widget.mapTo(parent, widget.rect().topLeft())
            bottom_right = widget.mapTo(parent, widget.rect().bottomRight())
            if isinstance(holder, QScrollArea) and holder.viewport() is parent:
                return ""
            if not (parent.rect().contains(top_left) and parent.rect().contains(bottom_right)):
                return type(parent).__name__
            if parent.isWindow():
                return ""
    return ""


def too_large(window: QWidget, room: QSize) -> list[str]:
    """The window itself, if it does not fit into the room that the screen has."""
    fits = window.width() <= room.width() and window.height() <= room.height()
    return [] if fits else [f"{window.size().toTuple()} of {room.toTuple()}"]


def scrolled_sideways(window: QWidget) -> list[str]:
    """What has to be scrolled sideways."""
    areas = [each for each in window.findChildren(Scrolled) if each.isVisible()]
    return [told(area) for area in areas if area.horizontalScrollBar().maximum() > 0]


def scrolled_down(window: MainWindow) -> list[str]:
    """Pages that have to be scrolled; the details of a value may be."""
    areas = (window._scrolled, window.page.scrolled)
    return [told(area) for area in areas if area.isVisible() and area.verticalScrollBar().maximum() > 0]


def not_read_whole(window: MainWindow) -> list[str]:
    """Lines that say whose values these are, and about whom is recorded."""
    lines = [window.banner._name, window.banner._identity] if window.selection.patient else []
    lines += [window.recorder.bar._who] if window.recorder.bar._who.isVisible() else []
    return [told(line) for line in lines if line.width() < line.sizeHint().width()]
