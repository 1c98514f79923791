"""The left column of a dictation's page: the transcript, and the chosen value with its evidence and decision."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from ui.flowsheet.detail.detail_pane import DetailPane
from ui.flowsheet.detail.score_detail import ScoreDetail
from ui.kit.widgets import card, only
from ui.review.evidence.transcript_pane import TranscriptPane

_SHARES = (3, 4)  # of the height: transcript, value
_LEAST_WIDTH = 340  # room for every kind of value, so that the flowsheet beside it keeps its width


class EvidenceColumn(QSplitter):
    """The value stands below the transcript, or above it where the panes of the page are stacked, next to its row.

    A score takes its place; it is hidden without either.
    """

    def __init__(
        self, words: TranscriptPane, detail: DetailPane, score: ScoreDetail, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._words, self._shown = words, (detail, score)
        layout = only(detail)
        layout.addWidget(score)
        self._value = card(layout)
        self._aside = False
        self.setHandleWidth(10)
        self.setChildrenCollapsible(False)
        for place, (part, share) in enumerate(zip((words, self._value), _SHARES, strict=True)):
            self.addWidget(part)
            self.setStretchFactor(place, share)
        for one in self._shown:
            one.installEventFilter(self)
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, super().minimumSizeHint().height())

    def turn(self, stacked: bool) -> None:
        """Puts the value above the transcript, or below it."""
        self.insertWidget(0, self._value if stacked else self._words)

    def set_aside(self, aside: bool) -> None:
        """Hides the value, or shows it again."""
        self._aside = aside
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        self._value.setVisible(not self._aside and not all(one.isHidden() for one in self._shown))
