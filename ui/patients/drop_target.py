"""Takes files that are dropped anywhere on a window, and says while they are dragged what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from ui.kit.widgets import label

_SIZE, _AROUND = QSize(560, 150), 20  # of the notice; margin to the window's edge


class DropTarget(QObject):
    """Watches a window.

    Args:
        words: what becomes of dragged files, in words; empty while none are taken.

    Attributes:
        notice: shows the words while files are dragged.

    Signals:
        dropped: a list of paths.
    """

    dropped = Signal(object)

    def __init__(self, window: QWidget, words: Callable[[Sequence[Path]], str]) -> None:
        super().__init__(window)
        self._window, self._words = window, words
        self.notice = _Notice(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.DragEnter if isinstance(event, QDropEvent):
                if words := self._words(_files(event.mimeData())):
                    event.acceptProposedAction()
                    self.notice.say(words)
                return True
            case QEvent.Type.DragLeave:
                self.notice.hide()
                return True
            case QEvent.Type.Drop if isinstance(event, QDropEvent):
                self.notice.hide()
                event.acceptProposedAction()
                paths = _files(event.mimeData())
                # the drop must end before a dialog can ask for the patient
                QTimer.singleShot(0, self, lambda: self.dropped.emit(paths))
                return True
        return super().eventFilter(watched, event)


class _Notice(QFrame):
    """Lies over the middle of the window and takes no mouse, so that it is the window on which files are dropped."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("drop")
        self.setProperty("over", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = label("", "display", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        QVBoxLayout(self).addWidget(self.words)
        self.hide()

    def say(self, words: str) -> None:
        self.words.setText(words)
        room = self.window().rect().adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
        place = QRect(room.topLeft(), _SIZE.boundedTo(room.size()))
        place.moveCenter(room.center())
        self.setGeometry(place)
        self.raise_()
        self.show()


def _files(dragged: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
