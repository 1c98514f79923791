"""Widgets in lines, as words are in a paragraph."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_HIGHEST = 10_000  # pixels of a widget


class Flow(QLayout):
    """Puts its widgets one after the other, and begins another line where there is no more room."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arranged(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arranged(rect, move=True)

    def _arranged(self, rect: QRect, *, move: bool) -> int:
        """The height that the widgets take in this width; `move` puts them there."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(rect.width(), 1), _HIGHEST))
            if lines[-1] and left + size.width() > rect.width():
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + self.spacing()
        top = rect.top()
        for line in lines:
            height, left = max((size.height() for _, size in line), default=0), rect.left()
            for item, size in line if move else ():
                above = (height - size.height()) // 2
                item.setGeometry(QRect(left, top + above, size.width(), size.height()))
                left += size.width() + self.spacing()
            top += height + self.spacing()
        return top - self.spacing() - rect.top()
