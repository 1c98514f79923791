"""Dialog that shows what dictations say that has no row, for somebody who keeps the flowsheet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.services.discovery.decisions_file import Decisions
from app.services.discovery.jobs import Found
from extraction.discovery.discover import Unplaced
from models.base.errors import WardlightError
from models.base.progress import Progress
from ui.discovery.no_row_words import about_words, decision_words, summary_words
from ui.kit.responsive_layout import Panes
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint, label

_ROLE = Qt.ItemDataRole.UserRole
_HEADS = ["Said", "Dictations", "Patients", "Mentions", "Nearest row"]
_NOT_READ = "Looks through all dictations for what no row takes. New dictations wait until it is done or stopped."


class NoRowDialog(QDialog):
    """What was found, the thing in most dictations first; beside it sentences of the chosen one.

    Signals:
        look_asked: look through the dictations; answered with `show_found`, `show_error` or `show_stopped`.
        stop_asked: stop looking.
        row_asked, alias_asked, ignore_asked: about this one (`Unplaced`); answered with `show_decisions`.
        undo_asked: take the last decision back.
        save_asked: save the template with what is proposed.
    """

    look_asked = Signal()
    stop_asked = Signal()
    row_asked = Signal(object)
    alias_asked = Signal(object)
    ignore_asked = Signal(object)
    undo_asked = Signal()
    save_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, can_look: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("What has no row")
        self.setMinimumSize(620, 460)
        self.found: Found | None = None
        self.summary = label(_NOT_READ, "muted", wrap=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("What has no row")
        self.tree.setHeaderLabels(_HEADS)
        self.tree.setRootIsDecorated(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(4, QHeaderView.ResizeMode.Interactive)
        self.tree.header().resizeSection(4, 190)
        self.tree.itemSelectionChanged.connect(self._update)
        self.about = QTextBrowser()
        self.about.setAccessibleName("Where it was said, and the rows nearest to it")
        self.about.setTabChangesFocus(True)
        self.bar, self._told = QProgressBar(), label(role="small")
        self.bar.setAccessibleName("How far looking is")
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.error = label(role="error", wrap=True)
        self.error.hide()
        self.decided = label(role="small", wrap=True)
        self.row = button(
            "Make a row…",
            theme.icon("add"),
            tip="Propose a row for it (M)",
            clicked=lambda: self._ask(self.row_asked.emit),
        )
        self.alias = button(
            "Alias of…",
            theme.icon("search"),
            tip="Another name of a row (A)",
            clicked=lambda: self._ask(self.alias_asked.emit),
        )
        self.ignore = button(
            "Ignore",
            theme.icon("reject"),
            tip="Keep it off this list (I)",
            clicked=lambda: self._ask(self.ignore_asked.emit),
        )
        self.undo = button("Undo", theme.icon("undo"), tip="Undo the last decision (U)", clicked=self.undo_asked.emit)
        self.save = button(
            "Save template…",
            theme.icon("export"),
            tip="Save the flowsheet template with all proposals as a new file (S)",
            clicked=self.save_asked.emit,
        )
        self.look = button(
            "&Look through dictations", theme.icon("search"), kind="primary", clicked=self.look_asked.emit
        )
        self.look.setEnabled(can_look)
        if not can_look:
            self.summary.setText("Install the embedding model in the settings first.")
        self.stop = button("&Stop", theme.icon("stop"), tip="Stop; nothing is changed", clicked=self.stop_asked.emit)
        self.stop.hide()
        keyed = (("M", self.row), ("A", self.alias), ("I", self.ignore), ("U", self.undo), ("S", self.save))
        for key, one in keyed:
            key_hint(one, key)
            QShortcut(QKeySequence(key), self).activated.connect(one.click)
        self.close_it = button("Close", tip="Close (Esc)", clicked=self.reject)
        self._lay_out()
        self._show_decisions(Decisions())
        self.resize(1080, 660)
        self._update()

    @property
    def chosen(self) -> Unplaced | None:
        items = self.tree.selectedItems()
        one: Unplaced | None = items[0].data(0, _ROLE) if items else None
        return one

    def show_progress(self, progress: Progress) -> None:
        self.bar.setRange(0, 0 if progress.fraction is None else 1000)
        self.bar.setValue(round(1000 * (progress.fraction or 0)))
        self._told.setText(progress.message)

    def show_looking(self) -> None:
        self._set_looking(looking=True)

    def show_found(self, found: Found) -> None:
        self._set_looking(looking=False)
        self.found = found
        self._show_list()
        self.tree.setFocus()

    def show_stopped(self) -> None:
        self._set_looking(looking=False)

    def show_error(self, error: WardlightError) -> None:
        self._set_looking(looking=False)
        self.error.setText(str(error))
        self.error.show()

    def show_decisions(self, found: Found) -> None:
        """Shows what was found after a decision or one taken back; the next one is chosen."""
        place = self.tree.indexOfTopLevelItem(items[0]) if (items := self.tree.selectedItems()) else 0
        self.found = found
        self._show_list(place)

    def _show_list(self, place: int = 0) -> None:
        assert self.found
        self.error.hide()
        self.summary.setText(summary_words(self.found))
        names = self.found.schema.by_id
        self.tree.blockSignals(True)
        self.tree.clear()
        for one in self.found.open:
            near = names[one.near[0][0]].name if one.near else ""
            texts = [one.name, str(one.dictations), str(one.patients), str(one.mentions), near]
            item = QTreeWidgetItem(texts)
            item.setData(0, _ROLE, one)
            for column, text in enumerate(texts):
                item.setToolTip(column, text)
            self.tree.addTopLevelItem(item)
        last = self.tree.topLevelItemCount() - 1
        if chosen := self.tree.topLevelItem(min(place, last)):
            self.tree.setCurrentItem(chosen)
        self.tree.blockSignals(False)
        self._show_decisions(self.found.decisions)
        self._update()

    def _show_decisions(self, decisions: Decisions) -> None:
        self.decided.setText(decision_words(decisions))
        self.undo.setEnabled(bool(decisions.decided))
        self.save.setEnabled(any(not one.ignored for one in decisions.decided))

    def _set_looking(self, *, looking: bool) -> None:
        for one in (self.bar, self._told, self.stop):
            one.setVisible(looking)
        self.look.setEnabled(not looking)
        if looking:
            self.error.hide()
        self._update()

    def _ask(self, ask: Callable[[Unplaced], object]) -> None:
        if self.chosen:
            ask(self.chosen)

    def _update(self) -> None:
        one = self.chosen
        for each in (self.row, self.alias, self.ignore):
            each.setEnabled(one is not None)
        self.about.setHtml(about_words(one, self.found.schema) if one and self.found else "")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("What has no row", "display"))
        layout.addWidget(self.summary)
        looking = QHBoxLayout()
        looking.addWidget(self.look)
        looking.addWidget(self.bar, 1)
        looking.addWidget(self._told)
        looking.addWidget(self.stop)
        looking.addStretch(1)
        layout.addLayout(looking)
        self.about.setMinimumWidth(240)
        layout.addWidget(Panes(self.tree, self.about, (640, 400)), 1)
        decide, below = QHBoxLayout(), QHBoxLayout()
        for one in (self.row, self.alias, self.ignore, self.undo):
            decide.addWidget(one)
        decide.addStretch(1)
        layout.addLayout(decide)
        layout.addWidget(self.decided)
        layout.addWidget(self.error)
        below.addWidget(self.save)
        below.addStretch(1)
        below.addWidget(self.close_it)
        layout.addLayout(below)
