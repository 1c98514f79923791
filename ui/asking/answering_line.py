"""The line that says that an answer is being worked out."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from ui.kit.widgets import button, label

_AFTER_MS = 1000  # most answers are there before


class AnsweringLine(QWidget):
    """Shows itself when an answer takes long, with a button that stops it.

    Signals:
        stop_asked: the answer is not waited for any longer.
    """

    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setAccessibleName("Answering")
        self.stop = button("Stop", tip="Do not wait for the answer (Esc)", clicked=self.stop_asked.emit)
        layout.addWidget(label("Answering…"))
        layout.addWidget(bar, 1)
        layout.addWidget(self.stop)
        self.late = QTimer(self)
        self.late.setSingleShot(True)
        self.late.setInterval(_AFTER_MS)
        self.late.timeout.connect(self.show)
        self.hide()

    def begin(self) -> None:
        """An answer is being worked out from now on."""
        self.late.start()

    def end(self) -> None:
        """Nothing is worked out any longer."""
        self.late.stop()
        self.hide()
