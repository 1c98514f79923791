"""Where the chosen cell of an answer comes from: the words in their sentence, who confirmed the value, and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QListWidget, QTextEdit, QVBoxLayout, QWidget

from app.asking.answer import Citation, Quoted
from ui.asking.answer_lines import Shown, clock_text
from ui.kit.responsive_layout import ButtonRow, Scrolled
from ui.kit.theme import READING_PX, Theme
from ui.kit.widgets import button, key_hint, label
from ui.kit.words import plain_text, when_text

NO_WORDS = "Entered by hand; no words were dictated for it."
_VALUES = 4  # that are seen at once
_LINES = 8  # of a sentence that are seen at once
_NOTHING = "Choose a value to see where it comes from."
_READING = "Reading where it comes from…"
_NEVER = "Nothing is charted here."


class SourcePane(QWidget):
    """Signals:
    chosen: another source is shown.
    play_asked, open_asked: of the source shown.
    """

    chosen = Signal()
    play_asked = Signal()
    open_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sources: tuple[Citation | Quoted, ...] = ()
        self._flagged = False
        self._now: datetime  # by which times are told, from the first cell on
        self.setMinimumWidth(300)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(12, 10, 12, 4)
        layout.setSpacing(6)
        self.nothing = label(role="muted", wrap=True)
        self.title = label(role="title", wrap=True)
        self.flag = label("Flagged when it was confirmed", "lit", wrap=True)
        self.when = label(role="muted", wrap=True)
        self.values = QListWidget()
        self.values.setAccessibleName("Values that it is made of")
        self.values.currentRowChanged.connect(self._show)
        self.sentence = QTextEdit()
        self.sentence.setObjectName("transcript")
        self.sentence.setReadOnly(True)
        self.sentence.setTabChangesFocus(True)
        self.sentence.setFrameShape(QTextEdit.Shape.NoFrame)
        self.sentence.setAccessibleName("What was said")
        font = QFont(self.sentence.font())
        font.setPixelSize(READING_PX)
        self.sentence.setFont(font)
        self.sentence.document().setDefaultFont(font)
        self.signed = label(wrap=True)
        self.dictation = label(role="muted", wrap=True)
        self.silent = label(role="small", wrap=True)
        self.play = button("Play", theme.icon("play"), tip="Play what was said (Space)", clicked=self.play_asked.emit)
        self.open = button(
            "Open",
            theme.icon("open"),
            tip="Open the dictation at this place (Enter)",
            clicked=self.open_asked.emit,
        )
        for one, key in ((self.play, "Space"), (self.open, "Enter")):
            key_hint(one, key)
        for widget in (self.nothing, self.title, self.when, self.flag, self.values, self.sentence):
            layout.addWidget(widget)
        for words in (self.signed, self.dictation, self.silent):
            layout.addWidget(words)
        layout.addStretch(1)
        buttons = QVBoxLayout()
        buttons.setContentsMargins(12, 0, 12, 10)
        buttons.addWidget(ButtonRow([self.play, self.open]))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Scrolled(content), 1)
        outer.addLayout(buttons)
        theme.changed.connect(self._mark)
        self._span = (0, 0)
        self._show()

    @property
    def source(self) -> Citation | Quoted | None:
        """The source shown; None for a cell without one."""
        row = self.values.currentRow() if len(self._sources) > 1 else 0
        return self._sources[row] if 0 <= row < len(self._sources) else None

    def show_cell(self, cell: Shown, citations: Mapping[int, Citation], now: datetime) -> None:
        """Shows where a cell comes from: its first value, or its sentence."""
        self._now = now
        cited = tuple(citations[one] for one in cell.value_ids if one in citations)
        self._sources = (cell.quote,) if cell.quote else cited
        self._flagged = cell.flagged and len(cited) == 1
        self.nothing.setText(_READING if cell.value_ids else _NEVER if cell.note else _NOTHING)
        with QSignalBlocker(self.values):
            self.values.clear()
            self.values.addItems([_listed(one, now) for one in cited])
            self.values.setCurrentRow(0)
        self.values.setVisible(len(self._sources) > 1)
        line = self.values.sizeHintForRow(0) if cited else 0
        self.values.setFixedHeight(line * min(len(cited), _VALUES) + 2 * self.values.frameWidth() + 4)
        self._show()

    def show_sentence(self, text: str, start: int, end: int) -> None:
        """Shows the words [start, end) of a sentence, marked."""
        self.sentence.setPlainText(plain_text(text))
        self._span = (start, end)
        self._mark()
        self._fit_sentence()

    def show_how(self, how: str) -> None:
        """Shows who charted the value and when; `how` is "Edited", "Added" or "Confirmed"."""
        source = self.source
        if isinstance(source, Citation):
            when = when_text(source.signed_at, datetime.now().astimezone())
            self.signed.setText(f"{how} by {source.signer}, {when}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sentence()

    @property
    def marked(self) -> str:
        """The words that are marked."""
        return self.sentence.toPlainText()[slice(*self._span)]

    def show_playing(self, *, playing: bool, reason: str) -> None:
        """Shows whether the words are playing, or why they cannot be."""
        self.play.setText("Stop" if playing else "Play")
        self.play.setIcon(self._theme.icon("stop" if playing else "play"))
        self.play.setEnabled(not reason)
        self.silent.setText(reason)
        self.silent.setVisible(bool(reason))

    def _show(self) -> None:
        source = self.source
        self.nothing.setVisible(source is None)
        for widget in (self.title, self.when, self.sentence, self.signed, self.dictation, self.play, self.open):
            widget.setVisible(source is not None)
        self.flag.setVisible(isinstance(source, Citation) and (source.flagged or self._flagged))
        self.show_playing(playing=False, reason="" if source else " ")
        self.silent.setVisible(False)
        self.play.setEnabled(False)
        if isinstance(source, Citation):
            self._show_citation(source)
        elif source:
            self.title.setText(source.patient)
            self.when.setText(clock_text(source.at, self._now))
            self.signed.setText("Said, not confirmed by anybody")
            self.dictation.setText(f"Dictation: {source.dictation}")
            self.show_sentence(source.text, 0, 0)
        self.chosen.emit()

    def _show_citation(self, source: Citation) -> None:
        self.title.setText(f"{source.row}: {source.text}")
        own = "time as said" if source.said else "time of the dictation"
        self.when.setText(f"{clock_text(source.at, self._now)} · {own}")
        self.show_how("Confirmed")
        self.dictation.setText(f"Dictation: {source.dictation}")
        self.sentence.setVisible(bool(source.words))
        self.show_sentence(source.words, 0, len(source.words))
        if not source.words:
            self.silent.setText(NO_WORDS)
            self.silent.show()

    def _fit_sentence(self) -> None:
        """Gives the sentence the height that it needs, up to some lines."""
        document = self.sentence.document()
        document.setTextWidth(self.sentence.viewport().width())
        most = QFontMetrics(self.sentence.font()).lineSpacing() * _LINES
        self.sentence.setFixedHeight(min(round(document.size().height()), most) + 2 * self.sentence.frameWidth() + 6)

    def _mark(self) -> None:
        text = self.sentence.toPlainText()
        marked = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.sentence.document())
        for place, mode in zip(self._span, QTextCursor.MoveMode, strict=True):
            cursor.setPosition(len(text[:place].encode("utf-16-le", "surrogatepass")) // 2, mode)  # as Qt counts
        marked.cursor = cursor
        form = QTextCharFormat()
        form.setBackground(self._theme.colour("evidence_span"))
        form.setForeground(self._theme.colour("evidence_text"))
        form.setFontUnderline(True)
        marked.format = form
        self.sentence.setExtraSelections([marked])


def _listed(one: Citation, now: datetime) -> str:
    return f"{one.row}: {one.text} · {clock_text(one.at, now)}{' · flagged' if one.flagged else ''}"
