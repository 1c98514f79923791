"""One dictation: its transcript and the chosen value on the left; its flowsheet, progress, or why it is unfinished on
the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from app.chart.lights import accepted_beside
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.inference.live_events import LiveValues
from app.services.engine.job_lanes import AnyJob
from app.services.review.jobs import ReviewResult
from app.services.workbench import Workbench
from app.system.settings import Settings
from extraction.flowsheet.values import Value
from models.base.errors import InputError
from models.base.progress import Progress
from ui.flowsheet.detail.detail_pane import DetailPane, Draft
from ui.flowsheet.detail.score_detail import ScoreDetail
from ui.flowsheet.filed_bar import FiledBar
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.flowsheet.leftovers import LeftoversPanel
from ui.kit.key_presses import DecisionPace, KeyPresses
from ui.kit.responsive_layout import WIDTHS, MinimumTextHeight, Panes, Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import card, only, rule
from ui.patients.identity_bar import IdentityBar
from ui.review.decisions import Decisions
from ui.review.evidence.evidence_column import EvidenceColumn
from ui.review.evidence.shown_evidence import ShownEvidence
from ui.review.evidence.transcript_pane import TranscriptPane
from ui.review.filling_page import FillingPage
from ui.review.lit_line import LitLine
from ui.review.no_values import NoValues
from ui.review.overlay_pages import OverlayPages
from ui.review.sheet_head import SheetHead
from ui.review.undo_words import undone_words
from ui.review.unfinished_notice import UnfinishedNotice


class ReviewPage(QWidget):
    """Shows a sheet and lets a person decide on its values.

    Attributes:
        below: the buttons that decide while the panes are stacked, for the foot of the window.
        steps: number of steps of review that succeeded.

    Signals:
        changed: another sheet, value or state is shown (for actions that depend on it).
        go_on_asked: fill the dictation, or fill it again (its id).
        add_asked, export_asked: open the dialog.
        file_asked, reopen_asked: file the dictation, or take its filing back.
        asked: a key of the flowsheet was pressed (the name of its action, see `ui.kit.keys`).
        speak_asked: the person wants to say the value of the chosen row.
        failed: an error for the message bar.
        undone: what an undo took back, and the result, in words.
        accepted_together: so many proposals were accepted at once, and so many values are left to review.
        disputed: the person rejected or corrected a value (its id), and another one that was read from the same words
            is accepted already (its id).
        refused: the person tried to change a filed sheet.
        left_unsaved: the person left a value with an unsaved change (the value's id, its row's name).
    """

    changed = Signal()
    go_on_asked = Signal(int)
    add_asked = Signal()
    export_asked = Signal()
    file_asked = Signal()
    reopen_asked = Signal()
    asked = Signal(str)
    speak_asked = Signal()
    failed = Signal(object)
    undone = Signal(str, str)
    accepted_together = Signal(int, int)
    left_unsaved = Signal(int, str)
    disputed = Signal(int, int)
    refused = Signal()

    def __init__(self, theme: Theme, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self.sheet: Sheet | None = None
        self._filled: Sheet | None = None  # the sheet while the job that fills it was shown last
        self._heard_words = False
        self._drafts: dict[int, Draft] = {}
        self.presses = KeyPresses(self)
        self.pace = DecisionPace(self.presses)
        self.steps = 0
        self.words = TranscriptPane(theme)
        self.words.transcript.evidence_clicked.connect(self.choose)
        self.identity = IdentityBar(theme)
        self.flowsheet = FlowsheetView(theme)
        self.flowsheet.chosen.connect(self._show_value)
        self.flowsheet.asked.connect(self.asked)
        self.flowsheet.alternative_asked.connect(self._consider)
        self.flowsheet.installEventFilter(self)
        self.no_values = NoValues(theme)
        self.no_values.hide()
        self.no_values.add_asked.connect(self.add_asked)
        self.no_values.asked.connect(self.asked)
        self.score = ScoreDetail(theme)
        self.leftovers = LeftoversPanel(theme)
        self.detail = DetailPane(theme)
        self.evidence = ShownEvidence(
            lambda: self.sheet, self.words.transcript, self.flowsheet, self.detail, self.leftovers, self
        )
        self.evidence.player.failed.connect(
            lambda words: self.failed.emit(
                InputError(f"The recording cannot be played: {words}.", "The values can be reviewed without it.")
            )
        )
        self.decisions = Decisions(
            workbench,
            lambda: self.sheet,
            self.pace,
            self.flowsheet,
            self.detail,
            self.leftovers,
            self.identity,
            self,
        )
        self.decisions.failed.connect(self.failed)
        self.detail.together.accept_asked.connect(lambda: self.decisions.accept_sentence(self.unsaved))
        self.leftovers.changed.connect(self._show_leftover)
        self.leftovers.play_asked.connect(self.evidence.toggle_play)
        self.leftovers.left.connect(self.flowsheet.setFocus)
        self.leftovers.refused.connect(self.refused)
        self.detail.play_asked.connect(self.evidence.toggle_play)
        self.detail.left.connect(self.flowsheet.setFocus)
        self.detail.decide_asked.connect(self._press_accept)
        self.below = QWidget()
        QVBoxLayout(self.below).setContentsMargins(0, 0, 0, 0)
        self.column = EvidenceColumn(self.words, self.detail, self.score, below=self.below)
        self.lit_line = LitLine(theme)
        self.head = SheetHead(theme, self.lit_line)
        self.head.accept_all.clicked.connect(self.accept_confident)
        self.head.add.clicked.connect(self.add_asked)
        self.head.export.clicked.connect(self.export_asked)
        self.head.file.clicked.connect(lambda: self.file_asked.emit())  # noqa: PLW0108 - not the signal's `checked`
        self.filed = FiledBar(theme)
        self.filed.reopen_asked.connect(self.reopen_asked)
        self.filed.failed.connect(self.failed)
        self.filed.hide()
        flowsheet = MinimumTextHeight()
        right = QVBoxLayout(flowsheet)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.head.bar)
        right.addWidget(self.filed)
        right.addWidget(rule())
        right.addWidget(self.flowsheet, 1)
        right.addWidget(self.no_values, 1)
        right.addWidget(rule())
        right.addWidget(self.leftovers)

        self.filling = FillingPage(theme)
        self.unfinished = UnfinishedNotice(theme)
        self.unfinished.go_on_asked.connect(self._ask_to_go_on)

        self._right = QStackedWidget()
        for page in (flowsheet, self.filling, self.unfinished):
            self._right.addWidget(page)
        self.looks = OverlayPages(theme, self._right)
        self.looks.left.connect(self.leave_look)
        self.looks.value_asked.connect(self.show_value)
        panes = self._panes = Panes(self.column, card(only(self._right)), WIDTHS)
        panes.turned.connect(self.column.turn)
        content = QWidget()
        parts = QVBoxLayout(content)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(10)
        parts.addWidget(self.identity)
        parts.addWidget(panes, 1)
        self.scrolled = Scrolled(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.scrolled, 1)

    # showing

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows a dictation; the chosen value stays chosen if it still exists."""
        former, self.sheet = self.sheet, sheet
        self.decisions.forget_pending()
        another = former is None or former.dictation.id != sheet.dictation.id
        if another:
            self.leave_look()
        text = sheet.transcript.text if sheet.transcript else ""
        if another or not former or former.transcript != sheet.transcript:
            self.evidence.player.stop()
            self._heard_words = False
            self.leftovers.fold()
            self.words.transcript.show_text(text)
        for bar in (self.identity, self.words.answered, self.words.left_out):
            focus = QApplication.focusWidget()
            bar.show_sheet(sheet)
            if focus and bar.isAncestorOf(focus) and bar.isHidden():
                self.flowsheet.setFocus()
        self.words.show_about(sheet)
        chosen = self.flowsheet.current_key
        self._show_values(anew=True)
        stays = chosen is not None and chosen == self.flowsheet.current_key
        if another or not stays:
            self.flowsheet.setFocus()
        self.show_state()

    def show_state(self) -> None:
        """Shows the flowsheet, the progress, or that the dictation is unfinished, depending on its state."""
        if not self.sheet:
            return
        dictation = self.sheet.dictation
        job = self._workbench.intake.job_of(dictation.id)
        if job:
            self.filling.show_job(job, self.sheet, waiting=self._workbench.intake.waits(job))
            self._right.setCurrentWidget(self.filling)
            self._filled = self.sheet
        elif self._filled is self.sheet:
            return  # the job has ended, and what came of it is being read from the store
        elif dictation.status == "filled" or self.sheet.values:
            if self._right.currentIndex() != 0 and not self.looks.shown:
                self._right.setCurrentIndex(0)
                self.flowsheet.setFocus()
        else:
            self.unfinished.show_sheet(self.sheet)
            self._right.setCurrentWidget(self.unfinished)
        self._arrange_column()
        self.changed.emit()

    def show_progress(self, job: AnyJob, progress: Progress) -> None:
        """Shows the progress of the dictation's job, with the words as they are transcribed."""
        self.filling.note(job, progress)
        if not self.sheet or job.subject != self.sheet.dictation.id:
            return
        self.filling.stages.show_progress(progress)
        if progress.stage == "transcribe" and progress.fraction and progress.message:
            if not self._heard_words:
                self.words.transcript.show_text("")
            self._heard_words = True
            self.words.transcript.append_words(progress.message)

    def show_values_so_far(self, job: AnyJob, read: LiveValues) -> None:
        """Shows the values that the dictation's job has read so far, now or when the dictation is shown."""
        self.filling.note(job, read)
        if self.sheet and job.subject == self.sheet.dictation.id:
            self.show_state()

    def take_review(self, reviewed: ReviewResult) -> None:
        """Shows the values after a step of review."""
        if self.sheet and self.sheet.dictation.id == reviewed.dictation_id:
            before, known = self.sheet.values, {value.id for value in self.sheet.values}
            self.steps += 1
            self.decisions.forget_pending()
            self.sheet = replace(
                self.sheet, values=reviewed.values, can_undo=reviewed.can_undo, conflicts=reviewed.conflicts
            )
            self._show_values(anew=False)
            new = [value.id for value in reviewed.values if value.id not in known]
            if reviewed.undone is not None:
                self._show_undone(before, reviewed.undone)
            elif new and self.looks.shown:
                pass  # what is looked at stays in sight
            elif new and self.leftovers.opened:
                self.flowsheet.choose(new[-1])  # scrolls there, but the keyboard focus stays in the open section
            elif new:
                self.choose(new[-1])
            elif disputed := accepted_beside(before, reviewed.values):
                self.disputed.emit(*disputed)
            elif together := self.decisions.accepted_together(reviewed.values):
                if (current := self.flowsheet.current()) and current.status is not ReviewStatus.PROPOSED:
                    self.flowsheet.choose_next()
                self.accepted_together.emit(together, self.sheet.count(ReviewStatus.PROPOSED))
            self.changed.emit()

    def _show_undone(self, before: tuple[ReviewedValue, ...], undone: tuple[int, ...]) -> None:
        """Goes to the first of the restored values, and says what the undo changed."""
        assert self.sheet
        first = next((value_id for value_id in self.flowsheet.ids() if value_id in undone), None)
        if first is not None:
            self.choose(first)
        self.undone.emit(*undone_words(self.sheet.schema, before, self.sheet.values, undone))

    def lit_otherwise(self, settings: Settings) -> bool:
        """Whether the sheet shown was lit with settings other than these."""
        used = self.sheet.lighting if self.sheet else None
        wanted = (settings.alpha, settings.conflict_weight, settings.accept_threshold)
        return used is not None and (used.alpha, used.weight, used.threshold) != wanted

    def _show_values(self, *, anew: bool) -> None:
        sheet = self.sheet
        assert sheet
        self.words.transcript.show_values(sheet)
        self.leftovers.show_sheet(sheet)
        with QSignalBlocker(self.flowsheet):  # the value is shown once, at last
            self.flowsheet.show_sheet(sheet, anew=anew)
            self._show_empty(empty=not sheet.values)
            if self.flowsheet.current_key is None:
                self.flowsheet.choose_first()
        self.show_lit()
        current, shown = self.flowsheet.current(), self.detail.value
        stays = current is not None and shown is not None and current.id == shown.id
        if not (stays and self.detail.unsaved):
            self._show_value(current.id if current else 0)
        self.head.show_sheet(sheet, len(self._workbench.review.confident(sheet)))
        self.filed.show_filing(sheet.filing, sheet.values, sheet.dictation.id)
        self.looks.refresh(sheet)

    def _arrange_column(self) -> None:
        """Hides the chosen value where nothing is decided: in an open section, and on a page to look at."""
        self.column.set_aside(self.leftovers.opened or self.looks.shown is not None)
        self.flowsheet.set_aside(self.leftovers.opened)

    def _show_empty(self, *, empty: bool) -> None:
        """Shows the flowsheet, or what to do if it is empty; moves the keyboard focus along."""
        had_keyboard = self.flowsheet.hasFocus() or self.no_values.hasFocus()
        self.flowsheet.setFocusProxy(self.no_values if empty else None)  # type: ignore[arg-type]
        self.flowsheet.setVisible(not empty)
        self.no_values.setVisible(empty)
        if had_keyboard:
            self.flowsheet.setFocus()

    def show_lit(self) -> None:
        """Shows how many values are to check, on what basis, with what promise, and whether reviews contradict it."""
        if self.sheet:
            lit, calling = self.flowsheet.lit, self.flowsheet.calling
            self.lit_line.show_sheet(
                self.sheet, calling, calling - lit, drifted=self._workbench.sheets.drifted(self.sheet)
            )

    def _show_value(self, value_id: int) -> None:
        self.evidence.unpin()
        value = self.flowsheet.current() if value_id else None
        self._keep_draft(value)
        self.evidence.player.stop()
        if value and self.detail.value and value.id == self.detail.value.id:
            draft = self.detail.draft  # the flowsheet was rebuilt around the same value
        else:
            draft = self._drafts.pop(value.id, None) if value else None
        self.detail.show_value(self.sheet, value, draft)
        self.score.show_score(self.flowsheet.current_score(), self.sheet.schema if self.sheet else None)
        near = self._workbench.review.of_sentence(self.sheet, value) if self.sheet and value else ()
        self.detail.together.show_values(self.sheet, near)
        self._show_place()

    def _show_leftover(self) -> None:
        """Shows the current line of the open section, or the value again if none is open."""
        self._arrange_column()
        self.evidence.player.stop()
        self._show_place()

    def _show_place(self) -> None:
        self.evidence.show()
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.flowsheet and event.type() == QEvent.Type.FocusIn:
            self.leftovers.fold()
        return super().eventFilter(watched, event)

    def _ask_to_go_on(self) -> None:
        if self.sheet:
            self.go_on_asked.emit(self.sheet.dictation.id)

    def _keep_draft(self, value: ReviewedValue | None) -> None:
        """Keeps the unsaved change of a value that is left, so that its editor shows it again on return."""
        left, draft = self.detail.value, self.detail.draft
        if left and draft and (value is None or value.id != left.id) and self.sheet:
            self._drafts[left.id] = draft
            if any(kept.id == left.id for kept in self.sheet.values):
                self.left_unsaved.emit(left.id, self.sheet.schema.row(left.row_id).name)

    # deciding

    @property
    def current(self) -> ReviewedValue | None:
        """The chosen value; None if no flowsheet is shown or a section below it is open."""
        return self.flowsheet.current() if self.reviewable and not self.leftovers.opened else None

    @property
    def reviewable(self) -> bool:
        """Whether a flowsheet is shown."""
        return self.sheet is not None and self._right.currentIndex() == 0

    @property
    def addable(self) -> bool:
        """Whether a value can be added by hand: a flowsheet is shown, or the last look at it."""
        return self.reviewable or (self.sheet is not None and self.looks.shown is self.looks.last_look)

    @property
    def decidable(self) -> bool:
        """Whether the chosen value can be decided on."""
        return self.current is not None and self.sheet is not None and self.sheet.filing is None

    @property
    def filed_shown(self) -> bool:
        """Whether the sheet shown is filed."""
        return self.reviewable and self.sheet is not None and self.sheet.filing is not None

    def act(self, action: str) -> None:
        """Does an action with the chosen value: `accept`, `sentence` (all of its sentence), `readings` (all of its
        row), `reject`, `edit`, `speak`, `play`, `keep`, `replace`, `reopen`, `observed` to enter its time, or `other`
        to go to its other readings.

        A value to check whose evidence is out of sight is shown, not accepted.
        """
        value = self.current
        if value is None:
            return
        match action:
            case "accept" if self.flowsheet.wants_a_look(value.id) and not self.detail.evidence_on_screen:
                self.detail.show_evidence()
                self.pace.decided(doubtful=True)  # gives time to look
            case "accept":
                self.detail.decide()
            case "sentence":
                self.decisions.accept_sentence(self.unsaved)
            case "readings":
                self.decisions.accept_readings(value, self.unsaved)
            case "reject":
                self.decisions.decide(value.id, "reject")
            case "edit":
                self.detail.edit()
            case "observed":
                self.detail.edit_time()
            case "speak":
                self.speak_asked.emit()
            case "play":
                self.evidence.toggle_play()
            case "keep":
                self.detail.keep()
            case "replace":
                self.detail.replace()
            case "other":
                self.detail.find_other()
            case "reopen":
                self.decisions.decide(value.id, "reopen")

    def _press_accept(self) -> None:
        """Accepts like the key does; an entry is what the person has just written, and is saved."""
        if self.detail.unsaved:
            self.detail.decide()
        else:
            self.act("accept")

    @property
    def widths(self) -> list[int]:
        """Widths of the two columns, in proportion."""
        return self._panes.widths

    def set_widths(self, widths: Sequence[int]) -> None:
        """Divides the width between the two columns in this proportion."""
        self._panes.set_widths(widths)

    def show_chart(self) -> None:
        """Shows the patient's chart in place of the flowsheet, or the flowsheet again."""
        if self.looks.shown:
            self.leave_look()
        else:
            self._show_chart(graph=False)

    def show_graph(self) -> None:
        """Shows the graph of the patient's chart, or its table again."""
        chart = self.looks.chart
        if self.looks.shown is chart:
            chart.toggle_graph()
        else:
            self._show_chart(graph=True)

    def _show_chart(self, *, graph: bool) -> None:
        if self.reviewable and self.sheet:
            self.looks.show_chart(self.sheet, self._workbench.settings.current.shifts, graph=graph)
            self.show_state()

    def show_last_look(self, signer: str) -> None:
        """Shows what filing would chart, signed by `signer`, in place of the flowsheet."""
        if self.reviewable and self.sheet:
            self.looks.show_last_look(self.sheet, signer)
            self.show_state()

    def leave_look(self) -> None:
        """Goes back to the flowsheet from a page that was only to be looked at."""
        if self.looks.shown:
            self._right.setCurrentIndex(0)
            self.show_state()
            self.flowsheet.setFocus()

    def show_value(self, value_id: int) -> None:
        """Goes to a value of the dictation from what is shown in its place or above it."""
        self.leave_look()
        self.choose(value_id)

    def step(self, by: int) -> None:
        """Goes `by` values down from the chosen one, or up if negative."""
        self.flowsheet.step(by)
        self.flowsheet.setFocus()

    def go_to_next_lit(self) -> None:
        """Goes to the next value that is lit or in conflict and waits for a decision."""
        self.flowsheet.choose_next(lit=True)
        self.flowsheet.setFocus()

    def go_to_open(self) -> None:
        """Goes to a value that prevents filing: one that is lit or in conflict, or else any undecided one."""
        self.flowsheet.choose_open()
        self.flowsheet.setFocus()

    def _consider(self, number: int) -> None:
        if self.decidable:
            self.detail.consider(number)
        elif self.filed_shown:
            self.refused.emit()

    def enter(self, value_id: int, value: Value) -> bool:
        """Goes to a value of the sheet and puts another one into its editor, unsaved; False if it is not shown."""
        if not self.reviewable or value_id not in self.flowsheet.ids():
            return False
        self.choose(value_id)
        if not self.decidable:
            return False
        self.detail.enter(value)
        return True

    def accept_confident(self) -> None:
        """Accepts all proposals that can be accepted together, except those with an unsaved change."""
        self.decisions.accept_confident(self.unsaved)

    @property
    def unsaved(self) -> set[int]:
        """Ids of the values with an unsaved change."""
        begun = {*self._drafts, *([self.detail.value.id] if self.detail.value and self.detail.unsaved else [])}
        return begun & {value.id for value in self.sheet.values} if self.sheet else set()

    def choose(self, value_id: int) -> None:
        """Goes to a value of the sheet."""
        self.flowsheet.choose(value_id)
        self.flowsheet.setFocus()

    def show_words(self, start: int, end: int) -> None:
        """Highlights these characters of the transcript instead of the value's evidence, and plays them if possible."""
        if self.sheet and self.sheet.transcript:
            self.evidence.pin(start, end)
            self.changed.emit()
            self.evidence.toggle_play()
