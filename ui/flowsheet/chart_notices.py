"""Notices about the chart around the values: that a dictation is filed, and what conflicts with a value."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import Filing, Placed, ReviewedValue
from extraction.flowsheet.schema import Row
from models.base.errors import ResourceError
from ui.flowsheet.range_words import ABNORMAL, judged_text, marked
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, key_hint, label, lay_out_bar, show_folder
from ui.kit.words import plural, value_unit, value_words, when_text


class FiledBar(QFrame):
    """Bar that says who filed the dictation shown, and where its files are.

    Signals:
        reopen_asked: the person wants to review it again.
        failed: the folder with the files cannot be shown (the error).
    """

    reopen_asked = Signal()
    failed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filed")
        self.setAccessibleName("Filed")
        self._folder = ""
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
        icon = IconLabel(theme.icon("filed", "confirmed"), 22)
        lay_out_bar(self, icon, (self.words, self._files), (self.open_folder, self.reopen), air=7)

    def show_filing(self, filing: Filing | None, values: Sequence[ReviewedValue] = ()) -> None:
        self.setVisible(filing is not None)
        if filing is None:
            return
        when = when_text(filing.filed_at, datetime.now(UTC))
        self.words.setText(f"Filed by {filing.reviewer} at {when} · read-only")
        paths = [Path(file) for file in filing.files]
        self._folder = str(paths[0].parent) if paths else ""
        into = f"{plural(len(paths), 'file')} in the folder “{Path(self._folder).name}”; not sent to the record system"
        told = into if paths else "No values to chart"
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


class ConflictBox(QFrame):
    """Other values charted in a value's cell, including one that replaced it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conflict")
        self.setAccessibleName("Conflict")
        self._theme = theme
        self._shown: tuple[Row, ReviewedValue, Sequence[Placed]] | None = None
        theme.changed.connect(self._colour)
        self._title, self.words = label(role="conflict", wrap=True), label(role="small", wrap=True)
        self.words.setTextFormat(Qt.TextFormat.RichText)
        told = QVBoxLayout()
        told.setSpacing(1)
        told.addWidget(self._title)
        told.addWidget(self.words)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 7, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme.icon("conflict", "conflict")), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(told, 1)
        self.hide()

    def show_conflict(self, row: Row, value: ReviewedValue, others: Sequence[Placed]) -> None:
        """Shows the other values in the cell of a value; hidden if there are none."""
        self.setVisible(bool(others))
        if not others:
            return
        self._shown = row, value, others
        there = _marked(row, others[-1].value)
        replaced = value.replaced_by is not None
        own = others[-1].value.dictation_id == value.dictation_id
        charted = "Already in this dictation" if own else "Already charted at this time"
        self._title.setText(f"{'Replaced by' if replaced else f'{charted}:'} {there}")
        self._colour()
        spoken = "\n".join(standing_words(row, one) for one in others)
        self.setAccessibleDescription(f"{self._title.text()}. {spoken}")

    def _colour(self) -> None:
        """Writes the other values, abnormal ones in their colour."""
        if self._shown is None:
            return
        row, _, others = self._shown
        ink = self._theme.colour(ABNORMAL).name()
        lines = []
        for one in others:
            value, who = html.escape(_marked(row, one.value)), html.escape(_decided_words(one))
            if judged := judged_text(row, one.value.value):
                value = f"<span style='color:{ink}; font-weight:600'>{value} ({html.escape(judged)})</span>"
            lines.append(f"{value}, {who}")
        self.words.setText("<br>".join(lines))


def standing_words(row: Row, placed: Placed) -> str:
    """A charted value in words: its judgement, its status, who decided on it and when, and its dictation."""
    judged = judged_text(row, placed.value.value)
    return f"{value_words(row, placed.value)}{f' ({judged})' if judged else ''}, {_decided_words(placed)}"


def _decided_words(placed: Placed) -> str:
    value, filed = placed.value, " and filed" if placed.filed else ""
    when = when_text(value.reviewed_at, datetime.now(UTC))
    return f"{value.status}{filed} by {value.reviewer} at {when} ({placed.source})"


def _marked(row: Row, value: ReviewedValue) -> str:
    return marked(row, value.value, value_unit(row, value))
