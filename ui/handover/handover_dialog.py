"""The handover of a patient: the page on the left; on the right what the nurse chooses and writes, which is kept."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QRadioButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.chart.handover.entries import SEVERITY, TYPED, Severity
from app.chart.handover.page import Handover
from ui.dialogs.file_choice import choose_new_file
from ui.handover.page_html import DICTATION, page_html
from ui.handover.printing import print_html
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint, label

_SIZE, _WRITTEN = (1120, 680), 320
_SUGGESTED = "handover.pdf"  # names no patient


class HandoverDialog(QDialog):
    """Signals:
    save_asked: keep what is written, by part; only parts that differ from what stands are in it.
    pdf_asked: write the page into this file.
    dictation_asked: the person goes to a dictation (its id).
    """

    save_asked = Signal(dict)
    pdf_asked = Signal(Path)
    dictation_asked = Signal(int)

    def __init__(self, theme: Theme, page: Handover, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Handover")
        self.resize(*_SIZE)
        self._theme = theme
        self.page = page
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("Handover")
        self.text.anchorClicked.connect(self._follow)
        written = QVBoxLayout()
        written.setSpacing(6)
        written.addWidget(label("Illness severity", "title"))
        self.severity = QButtonGroup(self)
        self.choices = {one: QRadioButton(one.capitalize()) for one in Severity}
        choices = QHBoxLayout()
        for choice in self.choices.values():
            self.severity.addButton(choice)
            choices.addWidget(choice)
        choices.addStretch(1)
        written.addLayout(choices)
        self.fields = {part: QPlainTextEdit() for part in TYPED}
        for part, field in self.fields.items():
            title = label(TYPED[part], "title")
            title.setBuddy(field)
            field.setTabChangesFocus(True)
            field.setAccessibleName(TYPED[part])
            written.addWidget(title)
            written.addWidget(field, 1)
        self.error = label(role="error", wrap=True)
        self.error.hide()
        written.addWidget(self.error)
        self.save = button("&Save", theme.icon("accept", "on_accent"), kind="primary", tip="Keep what is written")
        self.save.clicked.connect(lambda: self.ask_to_save())  # noqa: PLW0108 - not the signal's `checked`
        self.print = button("&Print…", tip="Print the page (Ctrl+P)", clicked=self._print)
        self.print.setShortcut("Ctrl+P")
        self.pdf = button("P&DF…", theme.icon("export"), tip="Write the page into a PDF file", clicked=self._ask_file)
        self.back = button("Close", tip="Close; what is written is kept (Esc)", clicked=self.reject)
        key_hint(self.back, "Esc")
        head = QHBoxLayout()
        head.addWidget(label("Handover", "display"), 1)
        for one in (self.save, self.print, self.pdf, self.back):
            one.setAutoDefault(False)
            head.addWidget(one)
        beside = QWidget()
        beside.setFixedWidth(_WRITTEN)
        beside.setLayout(written)
        body = QHBoxLayout()
        body.addWidget(self.text, 1)
        body.addWidget(beside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.addLayout(head)
        layout.addLayout(body, 1)
        self._fill()
        self.show_page(page)

    def show_page(self, page: Handover) -> None:
        """Shows the page as it is now; what the person writes stays as it is."""
        self.page = page
        self.text.setHtml(page_html(page, self._theme))
        self.error.hide()

    def show_error(self, words: str) -> None:
        self.error.setText(words)
        self.error.show()

    def changed(self) -> dict[str, str]:
        """What is written and not kept yet, by part."""
        chosen = next((str(one) for one, choice in self.choices.items() if choice.isChecked()), "")
        now = {SEVERITY: chosen} | {part: field.toPlainText().strip() for part, field in self.fields.items()}
        return {part: text for part, text in now.items() if text != self.page.written(part)}

    def ask_to_save(self) -> None:
        """Asks to keep what is written, if anything differs."""
        if found := self.changed():
            self.save_asked.emit(found)

    def done(self, result: int) -> None:
        """Keeps what is written, and closes; if nobody signs it, only when asked again."""
        warned = not self.error.isHidden()
        self.error.hide()
        self.ask_to_save()
        if warned or self.error.isHidden():
            super().done(result)

    def _fill(self) -> None:
        for part, field in self.fields.items():
            field.setPlainText(self.page.written(part))
        for one, choice in self.choices.items():
            choice.setChecked(self.page.severity == one)

    def _print(self) -> None:
        self.ask_to_save()
        print_html(page_html(self.page, None), "Handover", self)

    def _ask_file(self) -> None:
        self.ask_to_save()
        if path := choose_new_file(self, "Write the handover into a PDF", "PDF (*.pdf)", _SUGGESTED):
            self.pdf_asked.emit(path)

    def _follow(self, link: QUrl) -> None:
        target = link.toString()
        if target.startswith(DICTATION):
            self.dictation_asked.emit(int(target.removeprefix(DICTATION)))
            self.accept()
