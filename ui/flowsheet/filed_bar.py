"""Says that a dictation is filed: the bar above its values, and the line in place of an editor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import Filing, ReviewedValue
from app.services.delivery.jobs import OutboxState
from extraction.flowsheet.schema import Row
from models.base.errors import ResourceError
from ui.kit.responsive_layout import ButtonRow
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, key_hint, label, lay_out_bar, show_folder
from ui.kit.words import plural, value_words, when_text


class FiledBar(QFrame):
    """Bar that says who filed the dictation shown, and where its files are.

    Signals:
        reopen_asked: the person wants to review it again.
        outbox_asked: the person wants to see which messages were refused.
        failed: the folder with the files cannot be shown (the error).
    """

    reopen_asked = Signal()
    outbox_asked = Signal()
    failed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filed")
        self.setAccessibleName("Filed")
        self._folder = ""
        self._outbox: OutboxState | None = None
        self._shown: tuple[Filing | None, Sequence[ReviewedValue], int] = (None, (), 0)
        self.words, self._files = label(role="heading", wrap=True), label(role="small", wrap=True)
        self.open_folder = button("", theme.icon("folder"), kind="quiet", tip="Show the files", clicked=self._open)
        self.open_folder.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, the keys are still the values'
        self.reopen = button(
            "Reopen",
            theme.icon("retry"),
            tip="Review again; files are kept (Ctrl+R, U)",
            clicked=self.reopen_asked.emit,
        )
        key_hint(self.reopen, "Ctrl+R")
        self.refused = button("", theme.icon("warning"), kind="quiet", clicked=self.outbox_asked.emit)
        self.refused.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._refused_row = ButtonRow([self.refused])  # below the words: the bar must not become wider
        self._refused_row.hide()
        icon = IconLabel(theme.icon("filed", "confirmed"), 22)
        lay_out_bar(self, icon, (self.words, self._files, self._refused_row), (self.open_folder, self.reopen), air=7)

    def show_outbox(self, outbox: OutboxState) -> None:
        """Says what the record system was told of the dictation shown, and how many messages it refused in all."""
        self._outbox = outbox
        self._refused_row.setVisible(outbox.refused > 0)
        self.refused.setText(f"{plural(outbox.refused, 'message')} refused…")
        tip = f"The record system refused {plural(outbox.refused, 'message')}: open the outbox (Ctrl+Shift+O)"
        self.refused.setToolTip(tip)
        self.refused.setAccessibleDescription(tip)
        self.show_filing(*self._shown)

    def show_filing(self, filing: Filing | None, values: Sequence[ReviewedValue] = (), dictation_id: int = 0) -> None:
        self._shown = (filing, values, dictation_id)
        self.setVisible(filing is not None)
        if filing is None:
            return
        when = when_text(filing.filed_at, datetime.now(UTC))
        self.words.setText(f"Filed by {filing.reviewer} at {when} · read-only")
        paths = [Path(file) for file in filing.files]
        self._folder = str(paths[0].parent) if paths else ""
        into = f"{plural(len(paths), 'file')} in the folder “{Path(self._folder).name}”" if paths else ""
        sent = self._outbox.words_of(dictation_id) if self._outbox else "not sent to the record system"
        told = "; ".join(filter(None, (into, sent))) if paths else "No values to chart"
        self._files.setText("   ·   ".join(filter(None, (told, _reviewers(filing, values)))))
        self._files.setToolTip("\n".join(filing.files))
        self.open_folder.setVisible(bool(paths))

    def _open(self) -> None:
        try:
            show_folder(self._folder)
        except ResourceError as error:
            self.failed.emit(error)


def _reviewers(filing: Filing, values: Sequence[ReviewedValue]) -> str:
    """Reviewers with the number of values that each decided on; empty if only the signer of the filing did."""
    counts = Counter(value.reviewer for value in values if value.reviewer)
    if set(counts) <= {filing.reviewer}:
        return ""
    return "reviewed by " + "; ".join(f"{name} ({count})" for name, count in counts.most_common())


class LockedLine(QFrame):
    """Replaces the editor of a value of a filed sheet: the value as text, and how to change it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("locked")
        self.words, self._how = label(role="title", wrap=True), label(role="small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 12, 6)
        layout.setSpacing(9)
        layout.addWidget(IconLabel(theme.icon("filed", "muted"), 18))
        told = QVBoxLayout()
        told.setSpacing(1)
        told.addWidget(self.words)
        told.addWidget(self._how)
        layout.addLayout(told, 1)
        self.hide()

    def show_value(self, row: Row, value: ReviewedValue, observed: str) -> None:
        """Shows a value as charted; `observed` is its observation time, empty for the dictation's time."""
        at = f"   observed {observed}" if observed else ""
        self.words.setText(f"{value_words(row, value)}{at}")
        self._how.setText("Filed: reopen to change (Ctrl+R)")
