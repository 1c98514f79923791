"""The transcript on the left: large, read-only, with the evidence of the chosen value highlighted."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from app.record.values import Evidence
from ui.kit.theme import READING_PX, Theme
from ui.kit.words import plain_text

PARAGRAPH_CHARACTERS = 420
MARGIN = 16
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")


class TranscriptView(QTextEdit):
    """Shows a transcript and where each value was said.

    Signals:
        evidence_clicked: the person clicked words that a value was read from (the value's id).
    """

    evidence_clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._astral: list[int] = []
        self._spans: list[tuple[int, int, int]] = []
        self._lit: Evidence | None = None
        self._own: QTextDocument | None = None
        self.setObjectName("transcript")
        self.setReadOnly(True)
        self.setMinimumWidth(236)
        self.setAccessibleName("Transcript of the dictation")
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.viewport().setMouseTracking(True)
        self._reading_font = QFont(self.font())
        self._reading_font.setPixelSize(READING_PX)
        theme.changed.connect(self._light)

    def show_text(self, text: str) -> None:
        """Shows a transcript, without evidence."""
        self._text = text
        beyond = len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)
        self._astral = [i for i, character in enumerate(text) if ord(character) > 0xFFFF] if beyond else []
        self._spans, self._lit = [], None
        self.setExtraSelections([])
        # a document filled before it is shown is laid out only as far as visible: fifty pages take no time
        former, self._own = self._own, QTextDocument(self)
        document = self._own
        document.setDefaultFont(self._reading_font)
        document.setDocumentMargin(MARGIN)
        cursor = QTextCursor(document)
        cursor.setBlockFormat(_line_spacing())
        cursor.insertText(paragraphs(text))
        self.setDocument(document)
        if former:
            former.deleteLater()

    def show_words(self, final: str, draft: str) -> None:
        """Shows a text while it is spoken: the final part, and in grey italics the part that may still change."""
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - MARGIN  # do not scroll away from a person who has scrolled back
        if not final.startswith(self._text) or not (final or draft):
            self.show_text("")
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._qt_position(len(self._text)))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.insertText(paragraphs(final)[len(self._text) :], QTextCharFormat())
        self._text = final
        self._astral = [place for place, character in enumerate(final) if ord(character) > 0xFFFF]
        unsure = QTextCharFormat()
        unsure.setFontItalic(True)
        unsure.setForeground(self._theme.colour("muted"))
        cursor.insertText(plain_text(f" {draft}" if final and draft else draft), unsure)
        if follows:
            bar.setValue(bar.maximum())

    def append_words(self, words: str) -> None:
        """Appends words that were just heard."""
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.insertPlainText(plain_text(words if self.document().isEmpty() else f" {words}"))
        self.moveCursor(QTextCursor.MoveOperation.End)

    def show_values(self, sheet: Sheet) -> None:
        """Underlines the evidence of all values except rejected ones."""
        self._spans = [
            (evidence.start, evidence.end, value.id)
            for value in sheet.values
            if value.status is not ReviewStatus.REJECTED and (evidence := sheet.evidence_of(value))
        ]
        self._light()

    def light(self, evidence: Evidence | None) -> None:
        """Highlights words strongly and their sentence lightly, and scrolls to them; None removes the highlight."""
        self._lit = evidence
        self._light()
        if evidence:
            self._bring_into_view(evidence)

    def lit_text(self) -> str:
        """The words that are strongly highlighted."""
        return self._text[self._lit.start : self._lit.end] if self._lit else ""

    def value_at(self, character: int) -> int | None:
        """Id of the value with the shortest evidence around a character of the transcript; None if there is none."""
        around = [(end - start, value) for start, end, value in self._spans if start <= character < end]
        return min(around)[1] if around else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._lit and event.size().height() < event.oldSize().height():
            self._bring_into_view(self._lit)  # the value below took some of the height

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        value = self._value_under(event.position())
        if value is not None and not self.textCursor().hasSelection():
            self.evidence_clicked.emit(value)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = self._value_under(event.position()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def leaveEvent(self, event: QEvent) -> None:
        self.viewport().unsetCursor()
        super().leaveEvent(event)

    def _value_under(self, position: QPointF) -> int | None:
        cursor = self.cursorForPosition(position.toPoint())
        if not self.cursorRect(cursor).adjusted(-12, 0, 12, 0).contains(position.toPoint()):
            return None
        return self.value_at(self._character_of(cursor.position()))

    # Qt counts UTF-16 units: characters outside the basic plane take two

    def _qt_position(self, character: int) -> int:
        return character + sum(place < character for place in self._astral)

    def _character_of(self, qt_position: int) -> int:
        for place in self._astral:
            if place < qt_position:
                qt_position -= 1
        return qt_position

    def _cursor(self, start: int, end: int) -> QTextCursor:
        last = len(self._text)
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._qt_position(min(start, last)))
        cursor.setPosition(self._qt_position(min(end, last)), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _light(self) -> None:
        lights = [self._underline(start, end) for start, end, _ in self._spans]
        if self._lit:
            sentence = QTextCharFormat()
            sentence.setBackground(self._theme.colour("evidence_sentence"))
            span = QTextCharFormat()
            span.setBackground(self._theme.colour("evidence_span"))
            span.setForeground(self._theme.colour("evidence_text"))
            span.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)  # so that colour is not the only cue
            span.setUnderlineColor(self._theme.colour("evidence_text"))
            lights.append(_selection(self._cursor(self._lit.sentence_start, self._lit.sentence_end), sentence))
            lights.append(_selection(self._cursor(self._lit.start, self._lit.end), span))
        self.setExtraSelections(lights)

    def _underline(self, start: int, end: int) -> QTextEdit.ExtraSelection:
        style = QTextCharFormat()
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(self._theme.colour("evidence_line"))
        return _selection(self._cursor(start, end), style)

    def _bring_into_view(self, evidence: Evidence) -> None:
        area = self.cursorRect(self._cursor(evidence.start, evidence.start))
        last = self.cursorRect(self._cursor(evidence.end, evidence.end))
        if area.top() < 0 or last.bottom() > self.viewport().height():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + area.top() - self.viewport().height() // 3)


def paragraphs(text: str) -> str:
    """Replaces some spaces between sentences by line ends, for reading, and what is invisible by dots.

    The length stays the same.
    """
    shown = list(plain_text(text).replace("\r", " "))
    last = 0
    while gap := _SENTENCE_END.search(text, last + PARAGRAPH_CHARACTERS):
        last = text.rfind("\n", last + 1, gap.start())
        if last < 0:
            last = gap.start()
            shown[last] = "\n"
    return "".join(shown)


def _line_spacing() -> QTextBlockFormat:
    spacing = QTextBlockFormat()
    spacing.setLineHeight(150.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    spacing.setBottomMargin(10)
    return spacing


def _selection(cursor: QTextCursor, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = style
    return selection
