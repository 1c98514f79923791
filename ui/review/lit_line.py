"""A small line that says how many values are to check, on what basis, and with what promise."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.chart.sheet import Sheet
from ui.kit.light_words import lit_words, promise_words
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, label, restyle


class LitLine(QWidget):
    """Words after an icon, which becomes a warning if the latest reviews contradict the promise."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label(role="small", wrap=True)
        self.words.setMinimumWidth(
            90
        )  # a wrapped label asks for more, which the flowsheet has not beside the transcript
        self._icons = {False: theme.icon("lit", "lit"), True: theme.icon("warning", "warning")}
        self.icon = IconLabel(self._icons[False], 15)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.icon)
        layout.addWidget(self.words, 1)

    def show_sheet(self, sheet: Sheet, count: int, conflicts: int, *, drifted: bool) -> None:
        """Shows how many values of a sheet are to check, and how many of them are not lit but in conflict; `drifted` if
        the latest reviews contradict the promise."""
        self.setVisible(sheet.lighting is not None and sheet.filing is None and bool(sheet.values))
        if sheet.lighting is None:
            return
        self.icon.show_icon(self._icons[drifted])
        restyle(self.words, "role", "small-warning" if drifted else "small")
        self.words.setText(lit_words(sheet.lit_by, count, conflicts, drifted=drifted))
        promise = promise_words(sheet.lighting, sheet.lit_by, drifted=drifted)
        self.setToolTip(f"<p>{promise}</p>")  # rich text, so that Qt wraps it
        self.words.setAccessibleDescription(promise)
