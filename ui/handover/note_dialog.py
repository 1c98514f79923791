"""The nurse's note of a dictation, to look at, copy and save; each value in it leads to the flowsheet."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from app.chart.note.note import Note, NotePiece
from ui.dialogs.file_choice import choose_new_file
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint, label

_SIZE = (820, 560)
_SUGGESTED = "note.txt"  # names no patient
_VALUE = "value:"  # what a link leads to


class NoteDialog(QDialog):
    """Signals:
    save_asked: write the note into this file.
    value_asked: the person goes to a value (its id).
    """

    save_asked = Signal(Path)
    value_asked = Signal(int)

    def __init__(self, theme: Theme, note: Note, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Nurse's note")
        self.resize(*_SIZE)
        self._theme, self.note = theme, note
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("Nurse's note")
        self.text.anchorClicked.connect(self._follow)
        self.text.setHtml(self._html())
        self.copied = label(role="small")
        self.copy = button("&Copy", kind="primary", tip="Copy the note as text", clicked=self._copy)
        self.save = button("&Save as text…", theme.icon("export"), tip="Write into a text file", clicked=self._save)
        self.back = button("Close", tip="Close (Esc)", clicked=self.reject)
        key_hint(self.back, "Esc")
        head = QHBoxLayout()
        head.addWidget(label("Nurse's note", "display"), 1)
        head.addWidget(self.copied)
        for one in (self.copy, self.save, self.back):
            one.setAutoDefault(False)
            head.addWidget(one)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.addLayout(head)
        layout.addWidget(label("Made of confirmed values alone. Click on one to see it in the flowsheet.", "small"))
        layout.addWidget(self.text, 1)

    def _html(self) -> str:
        head, *others = self.note.text.split("\n")
        said = "".join(f"<p>{''.join(map(self._piece, one.pieces))}</p>" for one in self.note.sentences)
        return f"<p><b>{escape(head)}</b></p>{said}<p>{escape(others[-1])}</p>"

    def _piece(self, piece: NotePiece) -> str:
        words = escape(piece.text).replace("\n", "<br>")
        if piece.value_id is None:
            return words
        colour = self._theme.colour("lit" if piece.flagged else "text").name()
        return f"<a href='{_VALUE}{piece.value_id}' style='color:{colour}'>{words}</a>"

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.note.text)
        self.copied.setText("Copied")

    def _save(self) -> None:
        if path := choose_new_file(self, "Save the note", "Text (*.txt)", _SUGGESTED):
            self.save_asked.emit(path)

    def _follow(self, link: QUrl) -> None:
        target = link.toString()
        if target.startswith(_VALUE):
            self.value_asked.emit(int(target.removeprefix(_VALUE)))
            self.accept()
