"""The foot of the window: room for messages and for the progress of the models' work, which is always there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ui.kit.message_bar import MessageBar
from ui.progress.work_strip import WorkStrip

_LEAST = 600  # pixels of a message beside the words of the work
HEIGHT = 48  # two lines of a message; a longer one scrolls
_SHARES = (3, 2)  # of a message and of the work while there is room for the words of both


class Foot(QFrame):
    """Since its room is fixed, a message that comes or goes moves nothing and lies over nothing.

    Args:
        decision: the buttons that decide on a value, in a narrow window.
    """

    def __init__(self, decision: QWidget, message: MessageBar, strip: WorkStrip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self._decision, self._message, self._strip = decision, message, strip
        self._work = QWidget()
        QVBoxLayout(self._work).setContentsMargins(0, 0, 0, 0)
        self._work.layout().addWidget(strip)  # type: ignore[union-attr]
        self.setFixedHeight(HEIGHT)
        self._parts = layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 2, 14, 1)
        layout.setSpacing(14)
        layout.addWidget(decision)
        layout.addWidget(message, _SHARES[0])
        layout.addWidget(self._work, _SHARES[1])
        for part in (decision, message):
            part.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.LayoutRequest):
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Gives a message the room that its words need; the lists show, too, what is worked on."""
        told, share = not self._message.isHidden(), self.width() * _SHARES[0] // sum(_SHARES)
        short = told and share < max(self._message.whole_width, _LEAST)
        self._parts.setStretch(2, 0 if short else _SHARES[1])
        self._strip.set_short(short=short)
        self._work.setHidden(short and not self._decision.isHidden())
