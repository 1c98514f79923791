"""Import from a record system, step by step: from a folder of exports to a flowsheet in use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.services.contracts.jobs import ReadExport
from models.base.errors import WardlightError
from models.base.progress import Progress
from ui.contracts.changes_page import ChangesPage
from ui.contracts.checks_page import FAILED, ChecksPage
from ui.contracts.codes_page import CodesPage
from ui.contracts.folder_page import FolderPage
from ui.contracts.import_page import ImportPage
from ui.contracts.questions_page import QuestionsPage
from ui.contracts.rows.rows_page import RowsPage
from ui.contracts.sources_page import SourcesPage
from ui.contracts.trial_page import TrialPage
from ui.contracts.use_page import UsePage
from ui.kit.question import ask
from ui.kit.responsive_layout import Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, number_of, rule
from ui.patients.drop_target import DropTarget

RAIL_WIDTH = 176
_LEFT, _RIGHT = 24, 22  # margins of a page


class ImportDialog(QDialog):
    """Nothing is changed before the last step; answers are kept at once.

    Args:
        in_use: the contract that exports can update; None if the flowsheet in use was not imported.
        named: what a person calls the flowsheet in use.
        snapshots: updates that were kept for review.
        can_fill: whether the models are installed that fill a text.

    Signals:
        read_asked: read the exports (folder, contract to update or None, further answers); answered with `show_read`,
            `show_error` or `show_stopped`.
        stop_asked: stop reading.
        answers_given: keep answers (folder, answers).
        report_asked: save the checks as a report (what was read, the name of the flowsheet).
        use_asked: use what was read (it, the name); answered with `accept` or `show_error`.
    """

    read_asked = Signal(object, object, object)
    stop_asked = Signal()
    answers_given = Signal(object, object)
    report_asked = Signal(object, str)
    use_asked = Signal(object, str)

    def __init__(
        self,
        theme: Theme,
        in_use: Path | None,
        named: str,
        snapshots: Sequence[Path] = (),
        *,
        can_fill: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import from your record system")
        self.resize(1080, 660)
        self._theme = theme
        self._read: ReadExport | None = None
        self._reading = self._using = False
        self._outdated = False  # answers were given that the exports were not read with
        self._then: ImportPage | None = None
        self._visited: set[ImportPage] = set()
        self.folder = FolderPage(theme, in_use, named, snapshots)
        self.sources = SourcesPage(theme)
        self.questions = QuestionsPage(theme)
        self.changes = ChangesPage(theme)
        self.checks = ChecksPage(theme)
        self.rows = RowsPage(theme)
        self.codes = CodesPage(theme)
        self.trial = TrialPage(theme, can_fill=can_fill)
        self.use = UsePage(named if in_use else "")
        self.pages: tuple[ImportPage, ...] = (
            self.folder, self.sources, self.questions, self.changes, self.checks, self.rows, self.codes,
            self.trial, self.use,
        )  # fmt: skip
        self._stack = QStackedWidget()
        self.steps: dict[ImportPage, QPushButton] = {}
        self.rail = self._make_rail()
        self.bar, self._told = QProgressBar(), label(role="small")
        self.bar.setAccessibleName("How far reading is")
        self.bar.setTextVisible(False)
        self.bar.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.stop = button(
            "&Stop reading", theme.icon("stop"), tip="Stop; nothing is changed", clicked=self.stop_asked.emit
        )
        self._progress = QWidget()
        progress = QHBoxLayout(self._progress)
        progress.setContentsMargins(0, 0, 0, 0)
        progress.addWidget(self.bar, 1)
        progress.addWidget(self._told, 1)
        progress.addWidget(self.stop)
        self._progress.hide()
        self._error = label(role="error", wrap=True)
        self._error.hide()
        self.cancel = button("Cancel", tip="Close; nothing in use changes, and your answers are kept (Esc)")
        self.cancel.clicked.connect(self.reject)
        self.back = button("&Back", tip="Go to the previous step", clicked=self.go_back)
        self.next = button("", kind="primary", clicked=self.go_on)
        self.next.setDefault(True)
        foot = QHBoxLayout()
        foot.addWidget(self.cancel)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.next)
        right = QVBoxLayout()
        right.setContentsMargins(_LEFT, 18, _RIGHT, 16)
        right.setSpacing(10)
        self._scrolled = Scrolled(self._stack)
        right.addWidget(self._scrolled, 1)
        right.addWidget(self._progress)
        right.addWidget(self._error)
        right.addWidget(rule())
        right.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rail)
        layout.addLayout(right, 1)
        self.checks.report_asked.connect(lambda: self.report_asked.emit(self._read, self.use.chosen_name))
        self.folder.look_asked.connect(self.go_on)
        drops = DropTarget(self, lambda paths: "Read this folder" if paths and self.page is self.folder else "")
        drops.dropped.connect(self.folder.take)
        self._show()
        self.folder.path.setFocus()

    def _make_rail(self) -> QFrame:
        rail = QFrame()
        rail.setObjectName("rail")
        rail.setFixedWidth(RAIL_WIDTH)
        self._steps = column = QVBoxLayout(rail)
        column.setContentsMargins(12, 18, 12, 18)
        column.setSpacing(3)
        column.addWidget(label("Import", "title"))
        column.addSpacing(6)
        for page in self.pages:
            self._stack.addWidget(page)
            step = button("", self._theme.icon("waiting", "muted"), kind="step", clicked=partial(self.go, page))
            step.setCheckable(True)
            self.steps[page] = step
            column.addWidget(step)
            page.changed.connect(self._show)
            page.answered.connect(self._keep)
            page.decided.connect(partial(self._ask_to_read, then=page))
        column.addStretch(1)
        return rail

    @property
    def page(self) -> ImportPage:
        """The page shown."""
        return self.pages[self._stack.currentIndex()]

    @property
    def read(self) -> ReadExport | None:
        """What was read last."""
        return self._read

    @property
    def error(self) -> str:
        """The error shown; empty without one."""
        return "" if self._error.isHidden() else self._error.text()

    def go(self, page: ImportPage) -> None:
        """Shows another step, if it can be shown."""
        if page is self.page or self._reading:
            self._show()
        elif page is not self.folder and (self._outdated or not self.folder.is_read):
            self._ask_to_read({}, page)
        else:
            self._turn_to(page)

    def go_on(self) -> None:
        """Goes on within the page, or to the next step."""
        page = self.page
        if self._reading or self._using or not page.ready:
            return
        if page is self.use:
            self._using = True
            self._error.hide()
            self._show()
            self.use_asked.emit(self._read, self.use.chosen_name)
        elif not page.forward():
            shown = self._shown
            self.go(shown[shown.index(page) + 1])

    def go_back(self) -> None:
        """Goes back within the page, or to the step before."""
        if self._reading or self.page.backward():
            return
        shown = self._shown
        self._turn_to(shown[max(0, shown.index(self.page) - 1)])

    # answers of the caller

    def show_progress(self, progress: Progress) -> None:
        """Shows how far reading is."""
        self.bar.setRange(0, 0 if progress.fraction is None else 1000)
        self.bar.setValue(round(1000 * (progress.fraction or 0)))
        self._told.setText(progress.message)

    def show_read(self, read: ReadExport) -> None:
        """Shows what was read, on the step that it was read for; open questions come before what follows them."""
        self._read, self._outdated = read, False
        for page in self.pages:
            page.show_read(read)
        then, self._then = self._then or self.sources, None
        then = then if then in self._shown else self._shown[1]
        self._end_reading()
        after = self.pages.index(then) > self.pages.index(self.questions)
        self._turn_to(self.questions if after and self.page is self.questions and self.questions.open else then)

    def show_error(self, error: WardlightError) -> None:
        """Says why the exports could not be read, or the flowsheet not be used; what was shown stays."""
        self._end_reading()
        self._error.setText(str(error))
        self._error.show()

    def show_stopped(self) -> None:
        """Reading was stopped; what was shown stays."""
        self._end_reading()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self.page is self.questions and self.questions.mark(number_of(event.key()))):
            super().keyPressEvent(event)

    def reject(self) -> None:
        if self._using:  # it is a moment, and cannot be taken back
            return
        if self._reading or self._read is not None:
            words = "Your answers are kept. The flowsheet in use stays as it is; the exports are read again next time."
            if not ask(self, "Leave the import?", words, {"&Leave": True}, leave="Stay"):
                return
        if self._reading:
            self.stop_asked.emit()
        super().reject()

    # within

    @property
    def _shown(self) -> list[ImportPage]:
        """The steps that this import has."""
        update = self._read is not None and bool(self._read.former)
        exported = self._read is None or self._read.snapshot is None  # nothing is asked about a snapshot
        needed = {self.changes: update, self.questions: exported, self.codes: exported and self.codes.any}
        needed[self.sources] = exported
        return [page for page in self.pages if needed.get(page, True)]

    def _make_room(self) -> None:
        """Hides the list of steps where it would cut itself off, or make the page scroll sideways."""
        page = self._stack.minimumSizeHint().width() + self._scrolled.verticalScrollBar().sizeHint().width()
        wide = self.width() >= RAIL_WIDTH + _LEFT + page + _RIGHT
        self.rail.setVisible(wide and self.height() >= self._steps.sizeHint().height())

    def _keep(self, answers: dict[str, str]) -> None:
        """Keeps answers; the exports are read with them before another step is shown."""
        if self._read:
            self._outdated = True
            self.answers_given.emit(self._read.folder, answers)

    def _ask_to_read(self, answers: dict[str, str], then: ImportPage) -> None:
        folder = self.folder.folder
        if folder is None:
            return
        self._then = then
        self._reading = True
        self._error.hide()
        self._progress.show()
        self.show_progress(Progress("load", None, "Reading…"))
        self._stack.setEnabled(False)
        self._show()
        self.bar.setFocus()  # a second Enter must neither stop nor cancel
        self.read_asked.emit(folder, self.folder.former, answers)

    def _end_reading(self) -> None:
        self._reading = self._using = False
        self._progress.hide()
        self._stack.setEnabled(True)
        if self._read:
            self.sources.show_read(self._read)  # a role that was refused is shown as it was
        self._show()
        (self.page.first or self.next).setFocus()

    def _turn_to(self, page: ImportPage) -> None:
        self._error.hide()
        self._visited.add(page)
        self._stack.setCurrentWidget(page)
        self._show()
        (page.first or self.next).setFocus()

    def _mark(self, page: ImportPage, *, known: bool) -> tuple[str, str]:
        """Icon and colour of a step in the list."""
        if page is self.page:
            return "running", "accent"
        if known and (not page.ready or page.state == FAILED):
            return "error", "error"
        done = known and (page in self._visited or page is self.folder)
        return ("confirmed", "confirmed") if done else ("waiting", "muted")

    def _show(self) -> None:
        shown, at = self._shown, self.page
        known = self._read is not None and self.folder.is_read
        for page, step in self.steps.items():
            number = shown.index(page) + 1 if page in shown else 0
            state = page.state if known or page is self.folder else ""
            step.setVisible(bool(number))
            step.setText(f"{page.name}\n{state or ('now' if page is at else 'to do')}")
            step.setIcon(self._theme.icon(*self._mark(page, known=known)))
            step.setChecked(page is at)
            step.setEnabled(not self._reading and not self._using and (known or page is self.folder))
            step.setAccessibleName(f"Step {number}, {page.name}, {state}")
            step.setToolTip(f"Go to this step: {page.name}")
            step.setAccessibleDescription(step.toolTip())
        self.next.setText(at.forward_words)
        self.next.setEnabled(at.ready and not self._reading and not self._using)
        self.next.setToolTip("Go on (Enter)")
        self.next.setAccessibleDescription(self.next.toolTip())
        self._make_room()
        self.back.setEnabled(at is not self.folder and not self._reading and not self._using)
