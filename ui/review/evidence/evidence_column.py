"""The left column of a dictation's page: the transcript, and the chosen value with its evidence and decision."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QSplitter, QWidget

from ui.flowsheet.detail.detail_pane import DetailPane
from ui.flowsheet.detail.score_detail import ScoreDetail
from ui.kit.widgets import card, only
from ui.review.evidence.transcript_pane import TranscriptPane

_VALUES_SHARE = 4 / 7  # of the height; a value that needs more gets it, down to the least height of the transcript
_LEAST_WIDTH = 340  # room for every kind of value, so that the flowsheet beside it keeps its width


class EvidenceColumn(QSplitter):
    """The value stands below the transcript, or above it where the panes of the page are stacked, next to its row.

    A score takes its place; it is hidden without either.

    Args:
        below: holds the buttons that decide while the panes of the page are stacked, which scroll then.
    """

    def __init__(
        self,
        words: TranscriptPane,
        detail: DetailPane,
        score: ScoreDetail,
        below: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._words, self._detail, self._below = words, detail, below
        self._shown = (detail, score)
        self._share = _VALUES_SHARE
        layout = only(detail)
        layout.addWidget(score)
        self._value = card(layout)
        self._aside = False
        self.setHandleWidth(10)
        self.setChildrenCollapsible(False)
        for part in (words, self._value):
            self.addWidget(part)
        for one in self._shown:
            one.installEventFilter(self)
        self.splitterMoved.connect(self._keep_share)
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, super().minimumSizeHint().height())

    def turn(self, stacked: bool) -> None:
        """Puts the value above the transcript, or below it, and its buttons where they cannot be scrolled away."""
        self.insertWidget(0, self._value if stacked else self._words)
        self._detail.details.set_whole(stacked)
        self._detail.decision.set_framed(not stacked)
        holder = self._below if stacked else self._detail
        cast(QLayout, holder.layout()).addWidget(self._detail.decision)
        self._show()

    def set_aside(self, aside: bool) -> None:
        """Hides the value, or shows it again."""
        self._aside = aside
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._show()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:  # another value may need another height
            self._divide()
        return done

    def _keep_share(self) -> None:
        self._share = self._value.height() / max(self.height() - self.handleWidth(), 1)

    def _divide(self) -> None:
        """Divides the height between transcript and value."""
        if self._value.isHidden():
            return
        height = self.height() - self.handleWidth()
        shown = next((one for one in self._shown if not one.isHidden()), self._detail)
        least = self._words.minimumSizeHint().height()
        frame = self._value.minimumSizeHint().height() - shown.minimumSizeHint().height()
        value = max(round(self._share * height), min(shown.wanted_height + frame, height - least))
        sizes = [height - value, value]
        self.setSizes(sizes if self.widget(0) is self._words else sizes[::-1])

    def _show(self) -> None:
        decides = not self._aside and not self._detail.isHidden()
        self._detail.decision.setVisible(decides)
        self._below.setVisible(decides and self._below.isAncestorOf(self._detail.decision))
        self._value.setVisible(not self._aside and not all(one.isHidden() for one in self._shown))
