"""The handover of the ward: a line for each patient, each leading to the patient's page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from app.chart.handover.page import Handover
from ui.dialogs.file_choice import choose_new_file
from ui.handover.page_html import PATIENT, ward_html
from ui.handover.printing import print_html
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint

_SIZE = (1120, 620)
_SUGGESTED = "handover of the ward.pdf"


class WardHandoverDialog(QDialog):
    """Signals:
    patient_asked: the person goes to the page of a patient (the Handover).
    pdf_asked: write the list into this file.
    pages_asked: write all pages into this file.
    """

    patient_asked = Signal(object)
    pdf_asked = Signal(Path)
    pages_asked = Signal(Path)

    def __init__(self, theme: Theme, pages: Sequence[Handover], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Handover of the ward")
        self.resize(*_SIZE)
        self._pages = pages
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("Handover of the ward")
        self.text.anchorClicked.connect(self._follow)
        self.text.setHtml(ward_html(pages, theme))
        self.print = button("&Print…", tip="Print the list (Ctrl+P)", clicked=self._print)
        self.print.setShortcut("Ctrl+P")
        self.pdf = button("List as P&DF…", theme.icon("export"), clicked=lambda: self._ask(self.pdf_asked.emit))
        self.all = button("P&ages as PDF…", theme.icon("export"), clicked=lambda: self._ask(self.pages_asked.emit))
        self.back = button("Close", tip="Close (Esc)", clicked=self.reject)
        key_hint(self.back, "Esc")
        head = QHBoxLayout()
        head.addStretch(1)  # the title is above the list; a narrow window has no room for it twice
        for one in (self.print, self.pdf, self.all, self.back):
            one.setAutoDefault(False)
            head.addWidget(one)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.addLayout(head)
        layout.addWidget(self.text, 1)

    def _print(self) -> None:
        print_html(ward_html(self._pages, None), "Handover of the ward", self)

    def _ask(self, then: object) -> None:
        path = choose_new_file(self, "Write into a PDF", "PDF (*.pdf)", _SUGGESTED)
        if path and callable(then):
            then(path)

    def _follow(self, link: QUrl) -> None:
        target = link.toString()
        if target.startswith(PATIENT):
            number = int(target.removeprefix(PATIENT))
            self.accept()
            self.patient_asked.emit(next(page for page in self._pages if page.patient.id == number))
