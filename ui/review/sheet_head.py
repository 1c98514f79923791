"""The line above a flowsheet: how much is reviewed, and buttons that act on the whole sheet."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedLabel, button, heading, restyle
from ui.kit.words import plural


class SheetHead:
    """Attributes: `bar` holds the words and buttons, and the line about what is lit."""

    def __init__(self, theme: Theme, lit: QWidget) -> None:
        self.count = ElidedLabel("small")
        self.accept_all = button("Accept", theme.icon("accept-all", "confirmed"))
        self.add = button("", theme.icon("add"), kind="icon", tip="Search the flowsheet and add a value (Ctrl+F)")
        self.export = button("", theme.icon("export"), kind="icon", tip="Export what you confirmed (Ctrl+E)")
        self.file = button("File")
        self.bar = heading("Flowsheet", self.count, self.add, self.export, self.accept_all, self.file, below=lit)

    def show_sheet(self, sheet: Sheet, confident: int) -> None:
        """Shows how much is reviewed; `confident` is the number of proposals that can be accepted together."""
        decided, filed = len(sheet.values) - sheet.count(ReviewStatus.PROPOSED), sheet.filing is not None
        self.count.setText(f"{decided} of {len(sheet.values)} reviewed" if sheet.values else "No values found")
        self.accept_all.setText(f"Accept re&st ({confident})")
        self.accept_all.setVisible(not filed and bool(sheet.values))
        tip = f"Accept the {plural(confident, 'proposal')} without a flag or problem"
        self.accept_all.setToolTip(
            f"{tip}; flagged and critical values and conflicts are left for you to check (Shift+A)"
            if confident
            else "No unflagged proposals left"
        )
        self.accept_all.setAccessibleDescription(self.accept_all.toolTip())
        self.accept_all.setEnabled(confident > 0 and not filed)
        self.add.setVisible(not filed)
        complete = bool(sheet.values) and decided == len(sheet.values)
        self.file.setVisible(not filed)
        restyle(self.file, "kind", "primary" if complete else "")
        left = plural(len(sheet.values) - decided, "value")
        ready = "Sign and file the accepted values (F)"
        waits = f"{left} left to review before filing (F)" if sheet.values else "Sign without values (F)"
        self.file.setToolTip(ready if complete else waits)
        self.file.setAccessibleDescription(self.file.toolTip())
        self.export.setVisible(filed)
        self.export.setEnabled(sheet.exportable > 0)
