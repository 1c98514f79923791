"""The foot of the window: room for messages and for the progress of the models' work, which is always there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from ui.kit.message_bar import MessageBar
from ui.review.progress_views import WorkStrip

HEIGHT = 48  # two lines of a message; a longer one scrolls
_BOTH = 1000  # from this width on, there is room for the words of both


class Foot(QFrame):
    """Since its room is fixed, a message that comes or goes moves nothing and lies over nothing."""

    def __init__(self, message: MessageBar, strip: WorkStrip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self._message, self._strip = message, strip
        self.setFixedHeight(HEIGHT)
        self._parts = layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 2, 14, 1)
        layout.setSpacing(14)
        layout.addWidget(message, 3)
        layout.addWidget(strip, 2)
        message.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._message and event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        short = not self._message.isHidden() and self.width() < _BOTH
        self._parts.setStretch(1, 0 if short else 2)
        self._strip.set_short(short=short)
