"""The user guide in a window of its own, which stays beside the main window."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QKeySequence, QShortcut, QTextBlock, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

import resources
from ui.kit.theme import Theme
from ui.kit.widgets import button, clearable, label

_SIZE = (980, 680)
_CONTENTS, _CONTENTS_LINE = 250, 28  # pixels
_MARGIN, _BELOW, _ABOVE_HEADING, _LINE_PERCENT = 18, 8, 14, 125
_PICTURE = re.compile(r"^!\[.*\]\(.*\)$", re.MULTILINE)
_OTHER_DOCUMENT = re.compile(r"\[([^\]]+)\]\((?!#)[^)]+\)")


class UserGuide(QDialog):
    """The contents on the left, the text on the right, and a field to find words in it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("User guide")
        self.resize(*_SIZE)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("User guide")
        self._render()
        self.text.anchorClicked.connect(self._follow)
        self.contents = QListWidget()
        self.contents.setAccessibleName("Contents")
        self.contents.setFixedWidth(_CONTENTS)
        for block in self._headings:
            item = QListWidgetItem(block.text())
            item.setSizeHint(QSize(0, _CONTENTS_LINE))
            self.contents.addItem(item)
        self.contents.currentRowChanged.connect(self._go)
        self.contents.itemClicked.connect(lambda item: self._go(self.contents.row(item)))
        self.words = QLineEdit()
        self.words.setPlaceholderText("Find in the guide")
        self.words.setAccessibleName("Find in the guide")
        clearable(self.words)
        self.words.textChanged.connect(self._find_first)
        self.words.returnPressed.connect(self._find_next)
        self.found = label(role="small")
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.activated.connect(self.words.setFocus)
        close = button("Close", tip="Close the guide (Esc)", clicked=self.close)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(label("User guide", "display"), 1)
        head.addWidget(self.found)
        head.addWidget(self.words)
        head.addWidget(close)
        body = QHBoxLayout()
        body.setSpacing(12)
        body.addWidget(self.contents)
        body.addWidget(self.text, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addLayout(body, 1)
        self.contents.setFocus()
        theme.changed.connect(self._render)

    def _render(self) -> None:
        """Makes the text in the colours of the theme; it stays where it was scrolled to."""
        bar = self.text.verticalScrollBar()
        place = bar.value()
        self.text.setMarkdown(guide_text())
        document = self.text.document()
        document.setDocumentMargin(_MARGIN)
        self._headings = _headings(document)
        cursor, block = QTextCursor(document), document.begin()
        while block.isValid():
            shape = block.blockFormat()
            shape.setBottomMargin(_BELOW)
            shape.setTopMargin(_ABOVE_HEADING if shape.headingLevel() else 0)
            shape.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor.setPosition(block.position())
            cursor.setBlockFormat(shape)
            block = block.next()
        bar.setValue(place)

    def _follow(self, link: QUrl) -> None:
        """Goes to the heading that a link of the guide names."""
        for place, block in enumerate(self._headings):
            if _anchor(block.text()) == link.fragment():
                self.contents.setCurrentRow(place)

    def _go(self, number: int) -> None:
        """Scrolls the heading of this number to the top."""
        place = self.text.document().documentLayout().blockBoundingRect(self._headings[number])
        self.text.verticalScrollBar().setValue(int(place.top()))

    def _find_first(self) -> None:
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self._find_next()

    def _find_next(self) -> None:
        """Goes to the next place with the words, from the top again after the last."""
        words = self.words.text().strip()
        if not words:
            self.found.setText("")
            return
        if not self.text.find(words):
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.found.setText("" if self.text.find(words) else "Not found")
        else:
            self.found.setText("")


def guide_text() -> str:
    """The guide in Markdown, without its title, pictures and links to other documents."""
    text = resources.USER_GUIDE.read_text(encoding="utf-8")
    _, _, text = text.partition("\n")
    return _OTHER_DOCUMENT.sub(r"\1", _PICTURE.sub("", text)).strip()


def _headings(document: QTextDocument) -> list[QTextBlock]:
    found, block = [], document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            found.append(block)
        block = block.next()
    return found


def _anchor(heading: str) -> str:
    """The fragment that links to a heading."""
    return heading.lower().replace(" ", "-")
