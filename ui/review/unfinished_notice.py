"""Says that a dictation is not filled and why, and offers to resume."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.chart.sheet import Sheet
from ui.kit.theme import Theme
from ui.kit.widgets import button, label


class UnfinishedNotice(QWidget):
    """Signals: `go_on_asked` when its button is clicked."""

    go_on_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice, self.reason = label(role="display", wrap=True), label(role="muted", wrap=True)
        self.go_on = button(
            "Retry",
            theme.icon("retry", "on_accent"),
            kind="primary",
            tip="Fill this dictation",
            clicked=self.go_on_asked.emit,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 26, 28, 26)
        layout.setSpacing(14)
        layout.addWidget(self.notice)
        layout.addWidget(self.reason)
        layout.addWidget(self.go_on, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows whether processing failed, why, and what is kept."""
        failed = sheet.dictation.status == "failed"
        self.notice.setText("Processing failed" if failed else "Processing not finished")
        kept = "Resumes from the saved transcript." if sheet.transcript else "The file is kept."
        if sheet.dictation.kind == "text":
            kept = "The text is kept."
        self.reason.setText(f"{sheet.dictation.error} {kept}".strip())
        self.go_on.setText("Retry" if failed else "Resume")
