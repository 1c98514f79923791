"""One dictation: transcript on the left, and on the right its flowsheet, or the work on it, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.chart.dictation_identity import refusal
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Reviewed, Sheet
from app.operations.review import Decision
from app.system.job_lanes import AnyJob
from app.system.settings import Settings
from app.workbench import Workbench
from extraction.flowsheet.ranges import Caution, OutOfRangeValue
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Evidence, FilledValue, Value
from models.errors import InputError, NotSigned
from models.progress import Progress
from ui.flowsheet.chart_notices import FiledBar
from ui.flowsheet.computed_rows_panel import Scores
from ui.flowsheet.detail_pane import DetailPane, Draft
from ui.flowsheet.flowsheet_view import FlowsheetView
from ui.flowsheet.held_back_panel import Leftovers
from ui.kit.key_presses import DecisionPace, KeyPresses
from ui.kit.light_words import lit_words, promise_words
from ui.kit.responsive_layout import WIDTHS, Panes, Wordy
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, card, heading, key_hint, label, only, restyle, rule
from ui.kit.words import ROLE_WORDS, clock, plural, recorded_text, when_text
from ui.review.evidence_player import EvidencePlayer
from ui.review.identity_bar import AnswerBar, IdentityBar, LeftOutBar
from ui.review.no_values import NoValues
from ui.review.progress_views import AUDIO_STAGES, TEXT_STAGES, StageCard
from ui.review.transcript_view import TranscriptView
from ui.review.undo_words import undone_words

HISTORY_WIDTHS = [262, 748]  # of transcript and flowsheet: earlier assessments need more room than values alone


class ReviewPage(QWidget):
    """Shows a sheet and lets a person decide about its values.

    Signals:
        changed: another sheet, or the same with other values (for actions that depend on it).
        go_on_asked: the filling of the dictation is to be run, or run again.
        add_asked, export_asked: the dialogs are wanted.
        file_asked, reopen_asked: the dictation is to be filed, or its filing taken back.
        asked: a key of the flowsheet was pressed (the name of its action, see `ui.kit.keys`).
        failed: an error for the message bar.
        undone: what an undo took back, and how that stands now, in words.
        refused: something was to be changed of a sheet that is filed.
        left_unsaved: a change was begun and left without saving it (the value's id, its row's name).
    """

    changed = Signal()
    go_on_asked = Signal(int)
    add_asked = Signal()
    export_asked = Signal()
    file_asked = Signal()
    reopen_asked = Signal()
    asked = Signal(str)
    failed = Signal(object)
    undone = Signal(str, str)
    left_unsaved = Signal(int, str)
    refused = Signal()

    def __init__(self, theme: Theme, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self.sheet: Sheet | None = None
        self._heard_words = False
        self._drafts: dict[int, Draft] = {}
        self._pinned: Evidence | None = None  # words that were asked for, in place of the chosen value's
        self.presses = KeyPresses(self)
        self.pace = DecisionPace(self.presses)
        self.steps = 0  # of review, that succeeded
        self._deciding: set[int] = set()  # of which a decision is on its way to the disk
        self._latest: tuple[AnyJob, Progress] | None = None
        self.player = EvidencePlayer(self)
        self.player.changed.connect(self.show_playing)
        self.player.failed.connect(
            lambda words: self.failed.emit(
                InputError(f"The recording cannot be played: {words}.", "The values can be reviewed without it.")
            )
        )

        self.transcript = TranscriptView(theme)
        self.transcript.evidence_clicked.connect(self._choose)
        self._about = label(role="small")
        self.identity, self.answered, self.left_out = IdentityBar(theme), AnswerBar(theme), LeftOutBar(theme)
        about_others = QVBoxLayout()
        about_others.setContentsMargins(10, 8, 10, 0)
        about_others.setSpacing(8)
        about_others.addWidget(self.answered)
        about_others.addWidget(self.left_out)
        left = QVBoxLayout()
        left.setContentsMargins(1, 1, 1, 1)
        left.setSpacing(0)
        left.addWidget(heading("Transcript", self._about))
        left.addWidget(rule())
        self.doubts = label(role="warning", wrap=True)
        self.doubts.setContentsMargins(16, 8, 16, 8)
        left.addWidget(self.doubts)
        left.addLayout(about_others)
        left.addWidget(self.transcript, 1)

        self.flowsheet = FlowsheetView(theme)
        self.flowsheet.chosen.connect(self._show_value)
        self.flowsheet.asked.connect(self.asked)
        self.flowsheet.alternative_asked.connect(self._consider)
        self.flowsheet.installEventFilter(self)
        self.no_values = NoValues(theme)
        self.no_values.add_asked.connect(self.add_asked)
        self.no_values.asked.connect(self.asked)
        self.scores = Scores(theme)
        self.leftovers = Leftovers(theme)
        self.leftovers.changed.connect(self._show_leftover)
        self.leftovers.take_asked.connect(self._take)
        self.leftovers.add_asked.connect(self.add_asked)
        self.leftovers.play_asked.connect(self.toggle_play)
        self.leftovers.left.connect(self.flowsheet.setFocus)
        self.detail = DetailPane(theme)
        self.detail.accept_asked.connect(lambda value: self._decide([value], "confirm"))
        self.detail.reject_asked.connect(lambda value: self._decide([value], "reject"))
        self.detail.reopen_asked.connect(lambda value: self._decide([value], "reopen", go_on=False))
        self.detail.edit_asked.connect(self._edit)
        self.detail.replace_asked.connect(self._replace)
        self.detail.play_asked.connect(self.toggle_play)
        self.detail.left.connect(self.flowsheet.setFocus)
        self._details = _plain(self.detail)
        self._count = label(role="small")
        self.accept_all = button("Accept", theme.icon("accept-all", "confirmed"), clicked=self.accept_confident)
        key_hint(self.accept_all, "⇧A")
        self.add = button("", theme.icon("add"), tip="Search the flowsheet and add a value (Ctrl+F)")
        self.add.clicked.connect(self.add_asked)
        self.export = button("", theme.icon("export"), tip="Export what you confirmed (Ctrl+E)")
        self.export.clicked.connect(self.export_asked)
        self.file = button("File", clicked=self.file_asked.emit)
        key_hint(self.file, "F")
        self.filed = FiledBar(theme)
        self.filed.reopen_asked.connect(self.reopen_asked)
        self.filed.hide()
        flowsheet = Wordy()
        right = QVBoxLayout(flowsheet)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(heading("Flowsheet", self._count, self.add, self.export, self.accept_all, self.file))
        self.lit = label(role="small", wrap=True)
        self._lit_icons = {False: theme.icon("lit", "lit"), True: theme.icon("warning", "warning")}
        self._lit_icon = IconLabel(self._lit_icons[False], 15)
        self._lit_line = _beside(self._lit_icon, self.lit)
        right.addWidget(self._lit_line)
        right.addWidget(self.filed)
        right.addWidget(rule())
        right.addWidget(self.flowsheet, 1)
        right.addWidget(self.no_values, 1)
        right.addWidget(rule())
        right.addWidget(self.scores)
        right.addWidget(self.leftovers)
        right.addWidget(self._details)

        self.stages = StageCard(theme)
        self._notice, self._reason = label(role="display", wrap=True), label(role="muted", wrap=True)
        self.go_on = button("Retry", theme.icon("retry", "on_accent"), kind="primary", tip="Fill this dictation")
        self.go_on.clicked.connect(self._ask_to_go_on)
        unfinished = QWidget()
        notice = QVBoxLayout(unfinished)
        notice.setContentsMargins(28, 26, 28, 26)
        notice.setSpacing(14)
        notice.addWidget(self._notice)
        notice.addWidget(self._reason)
        notice.addWidget(self.go_on, 0, Qt.AlignmentFlag.AlignLeft)
        notice.addStretch(1)

        self._right = QStackedWidget()
        for page in (flowsheet, self.stages, unfinished):
            self._right.addWidget(page)
        panes = self._panes = Panes(card(left), card(only(self._right)), WIDTHS)
        self._other_widths: list[int] = []  # while earlier assessments are shown
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(10)
        outer.addWidget(self.identity)
        outer.addWidget(panes, 1)

    # showing

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows a dictation; the chosen value stays chosen where it still exists."""
        former, self.sheet = self.sheet, sheet
        self._deciding.clear()
        another = former is None or former.dictation.id != sheet.dictation.id
        text = sheet.transcript.text if sheet.transcript else ""
        if another or not former or former.transcript != sheet.transcript:
            self.player.stop()
            self._heard_words = False
            self.leftovers.fold()
            self.transcript.show_text(text)
        for bar in (self.identity, self.answered, self.left_out):
            focus = QApplication.focusWidget()
            bar.show_sheet(sheet)
            if focus and bar.isAncestorOf(focus) and bar.isHidden():
                self.flowsheet.setFocus()
        kind = "Recording" if sheet.dictation.kind == "audio" else "Text"
        length = f", {clock(sheet.transcript.duration)}" if sheet.transcript and sheet.transcript.duration else ""
        now = datetime.now(UTC)
        self._about.setText(f"{kind}{length} · {when_text(sheet.dictation.created_at, now)}")
        doubts = sheet.transcript.warnings if sheet.transcript else ()
        self.doubts.setText("\n".join(doubts))
        self.doubts.setVisible(bool(doubts))
        used, devices = sheet.dictation.run.models, sheet.dictation.run.devices
        ran = [f"{words}: {used[role]} on {devices[role]}" for role, words in ROLE_WORDS.items() if role in used]
        recorded = f"Recorded {recorded_text(sheet.dictation, now)}"
        self._about.setToolTip("\n".join([sheet.dictation.name, recorded, *ran]))
        chosen = self.flowsheet.current()
        self._show_values(anew=True)
        current = self.flowsheet.current()
        stays = chosen and current and current.id == chosen.id
        if another or not stays:
            self.flowsheet.setFocus()
        self.show_state()

    def show_state(self) -> None:
        """Shows flowsheet, progress or what is unfinished, as the dictation stands now."""
        if not self.sheet:
            return
        dictation = self.sheet.dictation
        job = self._workbench.intake.job_of(dictation.id)
        if job:
            heard = self.sheet.transcript is not None or dictation.kind == "text"
            stages = TEXT_STAGES if heard else AUDIO_STAGES
            self.stages.start(job, stages, waiting=self._workbench.intake.waits(job))
            if self._latest and self._latest[0] is job:
                self.stages.show_progress(self._latest[1])
            self._right.setCurrentIndex(1)
        elif dictation.status == "filled" or self.sheet.values:
            appears = self._right.currentIndex() != 0
            self._right.setCurrentIndex(0)
            if appears:
                self.flowsheet.setFocus()
        else:
            failed = dictation.status == "failed"
            self._notice.setText("This dictation could not be finished" if failed else "This dictation is not finished")
            kept = "Resumes from the saved transcript." if self.sheet.transcript else "The file is kept."
            self._reason.setText(f"{dictation.error} {kept}".strip())
            self.go_on.setText("Retry" if failed else "Resume")
            self._right.setCurrentIndex(2)
        self.changed.emit()

    def show_progress(self, job: AnyJob, progress: Progress) -> None:
        """Shows a report of the dictation's job, with the words as they are heard."""
        self._latest = (job, progress)
        if not self.sheet or job.subject != self.sheet.dictation.id:
            return
        self.stages.show_progress(progress)
        if progress.stage == "transcribe" and progress.fraction and progress.message:
            if not self._heard_words:
                self.transcript.show_text("")
            self._heard_words = True
            self.transcript.append_words(progress.message)

    def take_review(self, reviewed: Reviewed) -> None:
        """Shows the values after a step of review."""
        if self.sheet and self.sheet.dictation.id == reviewed.dictation_id:
            before, known = self.sheet.values, {value.id for value in self.sheet.values}
            self.steps += 1
            self._deciding.clear()
            self.sheet = replace(
                self.sheet, values=reviewed.values, can_undo=reviewed.can_undo, conflicts=reviewed.conflicts
            )
            self._show_values(anew=False)
            new = [value.id for value in reviewed.values if value.id not in known]
            if reviewed.undone is not None:
                self._show_undone(before, reviewed.undone)
            elif new and self.leftovers.opened:
                self.flowsheet.choose(new[-1])  # seen there, while the keyboard stays with what is left over
            elif new:
                self._choose(new[-1])
            self.changed.emit()

    def _show_undone(self, before: tuple[ReviewedValue, ...], undone: tuple[int, ...]) -> None:
        """Goes to the first of the values that were brought back, and says what became of them."""
        assert self.sheet
        first = next((value_id for value_id in self.flowsheet.ids() if value_id in undone), None)
        if first is not None:
            self._choose(first)
        self.undone.emit(*undone_words(self.sheet.schema, before, self.sheet.values, undone))

    def lit_otherwise(self, settings: Settings) -> bool:
        """Whether what is shown was lit under other settings than these."""
        used = self.sheet.lighting if self.sheet else None
        wanted = (settings.alpha, settings.conflict_weight, settings.accept_threshold)
        return used is not None and (used.alpha, used.weight, used.threshold) != wanted

    def _show_values(self, *, anew: bool) -> None:
        sheet = self.sheet
        assert sheet
        self.transcript.show_values(sheet)
        self.scores.show_sheet(sheet)
        self.leftovers.show_sheet(sheet)
        self.flowsheet.show_sheet(sheet, anew=anew)
        self._show_empty(empty=not sheet.values)
        if self.flowsheet.current() is None:
            self.flowsheet.choose_first()
        self.show_lit()
        current = self.flowsheet.current()
        if not self.detail.unsaved or current is None:
            self._show_value(current.id if current else 0)
        decided = len(sheet.values) - sheet.count(ReviewStatus.PROPOSED)
        self._count.setText(f"{decided} of {len(sheet.values)} reviewed" if sheet.values else "No values found")
        confident = len(self._workbench.reviews.confident(sheet))
        filed = sheet.filing is not None
        self.filed.show_filing(sheet.filing, sheet.values)
        self.accept_all.setText(f"Accept {confident} &sure")
        self.accept_all.setVisible(not filed and bool(sheet.values))
        tip = f"Accept the {plural(confident, 'proposal')} that neither a light nor a problem speaks against"
        self.accept_all.setToolTip(
            f"{tip}; lit and critical ones and conflicts stay for you to look at (Shift+A)"
            if confident
            else "No proposal is left that is neither lit nor has a problem"
        )
        self.accept_all.setAccessibleDescription(self.accept_all.toolTip())
        self.accept_all.setEnabled(confident > 0 and not filed)
        self.add.setVisible(not filed)
        self.leftovers.setVisible(not filed)
        complete = bool(sheet.values) and decided == len(sheet.values)
        self.file.setVisible(not filed)
        restyle(self.file, "kind", "primary" if complete else "")
        left = plural(len(sheet.values) - decided, "value")
        ready = "Write what you accepted into the chart's files and close this review (F)"
        waits = (
            f"{left} still to be decided before this can be filed (F)" if sheet.values else "Sign it without values (F)"
        )
        self.file.setToolTip(ready if complete else waits)
        self.file.setAccessibleDescription(self.file.toolTip())
        self.export.setEnabled(sheet.exportable > 0)

    def _show_empty(self, *, empty: bool) -> None:
        """Shows the flowsheet, or where it is empty what to do; the keyboard goes where the person is sent."""
        had_keyboard = self.flowsheet.hasFocus() or self.no_values.hasFocus()
        self.flowsheet.setFocusProxy(self.no_values if empty else None)  # type: ignore[arg-type]
        self.flowsheet.setVisible(not empty)
        self.no_values.setVisible(empty)
        if had_keyboard:
            self.flowsheet.setFocus()

    def show_lit(self) -> None:
        """Says how many values are lit, by what, what that promises, and whether the latest reviews contradict it."""
        sheet = self.sheet
        if not sheet:
            return
        self._lit_line.setVisible(sheet.lighting is not None and sheet.filing is None and bool(sheet.values))
        if sheet.lighting:
            drifted = self._workbench.drifted(sheet)
            self._lit_icon.show_icon(self._lit_icons[drifted])
            restyle(self.lit, "role", "small-warning" if drifted else "small")
            self.lit.setText(lit_words(sheet.lighting, sheet.lit_by, self.flowsheet.lit, drifted=drifted))
            promise = promise_words(sheet.lighting, sheet.lit_by, drifted=drifted)
            self._lit_line.setToolTip(f"<p>{promise}</p>")  # as rich text it is broken into lines
            self.lit.setAccessibleDescription(promise)

    def _show_value(self, value_id: int) -> None:
        self._pinned = None
        value = self.flowsheet.current() if value_id else None
        self._keep_draft(value)
        self.player.stop()
        if value and self.detail.value and value.id == self.detail.value.id:
            draft = self.detail.draft  # the flowsheet was built anew around it
        else:
            draft = self._drafts.pop(value.id, None) if value else None
        self.detail.show_value(self.sheet, value, draft)
        self._show_place()

    def _show_leftover(self) -> None:
        """Shows what the open section has chosen, or the value again once none is open."""
        self._details.setVisible(not self.leftovers.opened)
        self.player.stop()
        self._show_place()

    def _show_place(self) -> None:
        self.transcript.light(self._place)
        self.show_playing()
        self.changed.emit()

    @property
    def _place(self) -> Evidence | None:
        """Where it was said what the person is looking at."""
        if self._pinned:
            return self._pinned
        if self.leftovers.opened:
            return self.leftovers.lit
        value = self.flowsheet.current()
        return self.sheet.evidence_of(value) if self.sheet and value else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.flowsheet and event.type() == QEvent.Type.FocusIn:
            self.leftovers.fold()
        return super().eventFilter(watched, event)

    def _ask_to_go_on(self) -> None:
        if self.sheet:
            self.go_on_asked.emit(self.sheet.dictation.id)

    def _keep_draft(self, value: ReviewedValue | None) -> None:
        """A change that was begun and left is neither saved nor lost: on return it stands in the editor again."""
        left, draft = self.detail.value, self.detail.draft
        if left and draft and (value is None or value.id != left.id) and self.sheet:
            self._drafts[left.id] = draft
            if any(kept.id == left.id for kept in self.sheet.values):
                self.left_unsaved.emit(left.id, self.sheet.schema.row(left.row_id).name)

    # deciding

    @property
    def current(self) -> ReviewedValue | None:
        """The chosen value, None while no flowsheet is shown or the person looks at what is left over."""
        return self.flowsheet.current() if self.reviewable and not self.leftovers.opened else None

    @property
    def reviewable(self) -> bool:
        """Whether a flowsheet is shown."""
        return self.sheet is not None and self._right.currentIndex() == 0

    @property
    def decidable(self) -> bool:
        """Whether the chosen value can be decided about."""
        return self.current is not None and self.sheet is not None and self.sheet.filing is None

    @property
    def filed_shown(self) -> bool:
        """Whether a sheet is shown that is filed."""
        return self.reviewable and self.sheet is not None and self.sheet.filing is not None

    def act(self, action: str) -> None:
        """Does `accept`, `reject`, `edit`, `play`, `keep`, `replace` or `reopen` with the chosen value, or finds an
        `other` reading of it."""
        value = self.current
        if value is None:
            return
        match action:
            case "accept":
                self.detail.decide()
            case "reject":
                self._decide([value.id], "reject")
            case "edit":
                self.detail.edit()
            case "play":
                self.toggle_play()
            case "keep":
                self.detail.keep()
            case "replace":
                self.detail.replace()
            case "other":
                self.detail.find_other()
            case "reopen":
                self._decide([value.id], "reopen", go_on=False)

    def show_history(self, shown: bool) -> None:
        """Shows or hides earlier assessments beside the values; where there are any, the transcript gives way."""
        if shown and self.flowsheet.has_past:
            self._other_widths = self._panes.widths
            self._panes.set_widths(HISTORY_WIDTHS)
        elif self._other_widths:
            self._panes.set_widths(self._other_widths)
            self._other_widths = []
        self.flowsheet.show_history(shown)

    def step(self, by: int) -> None:
        """Goes to the value so many below the chosen one, or above."""
        self.flowsheet.step(by)
        self.flowsheet.setFocus()

    def go_to_next_lit(self) -> None:
        """Goes to the next value that is lit or in conflict and waits for a decision."""
        self.flowsheet.choose_next(lit=True)
        self.flowsheet.setFocus()

    def go_to_open(self) -> None:
        """Goes to a value that keeps the dictation from being filed: one that is lit or in conflict, or else any that
        waits for a decision."""
        self.flowsheet.choose_open()
        self.flowsheet.setFocus()

    def _consider(self, number: int) -> None:
        if self.decidable:
            self.detail.consider(number)
        elif self.filed_shown:
            self.refused.emit()

    def accept_confident(self) -> None:
        """Accepts what neither a light, a problem, a conflict nor a change that was begun speaks against."""
        if self.asks_whose():
            return
        if self.sheet and (ids := set(self._workbench.reviews.confident(self.sheet)) - self.unsaved):
            sheet = self.sheet
            self._signed(lambda: self._workbench.reviews.accept_rest(sheet, ids))

    def asks_whose(self) -> bool:
        """Whether it has to be said first whose dictation this is; then the question has the keyboard."""
        if self.sheet is None or self.sheet.identity_question is None:
            return False
        self.identity.call()
        return True

    @property
    def answered_last(self) -> bool:
        """Whether the last thing that a person said about the sheet is whose it is."""
        sheet = self.sheet
        if sheet is None or sheet.identity_answer is None:
            return False
        return all(value.reviewed_at <= sheet.identity_answer.answered_at for value in sheet.values)

    @property
    def unsaved(self) -> set[int]:
        """Ids of the values of which a change was begun and not saved."""
        begun = {*self._drafts, *([self.detail.value.id] if self.detail.value and self.detail.unsaved else [])}
        return begun & {value.id for value in self.sheet.values} if self.sheet else set()

    def undo(self) -> None:
        if self.sheet and self.sheet.can_undo:
            sheet = self.sheet
            self._signed(lambda: self._workbench.reviews.undo(sheet))

    def _signed(self, decide: Callable[[], AnyJob]) -> None:
        """Decides, unless nobody wants to sign it."""
        try:
            decide()
        except NotSigned as error:
            self.failed.emit(error)

    def add_value(self, row: Row, value: Value, unit: str | None, confirmed: Caution | None = None) -> None:
        """Adds a value by hand. Raises as `Reviews.add` does, and UnsureIdentity."""
        if self.sheet and (question := self.sheet.identity_question):
            raise refusal(question.naming, question.patient)
        if self.sheet:
            self._workbench.reviews.add(self.sheet, row, value, unit, confirmed=confirmed)

    def _take(self, held_back: FilledValue) -> None:
        if not self.sheet or self.asks_whose() or not self.pace.allows(doubtful=True):
            return
        try:
            self._workbench.reviews.take(self.sheet, held_back, confirmed=self.leftovers.maybe.again.caution)
        except OutOfRangeValue as error:
            self.pace.decided(doubtful=True)
            self.leftovers.maybe.again.ask(error, "Enter")
        except InputError as error:
            self.failed.emit(error)
        else:
            self.pace.decided(doubtful=True)
            self.leftovers.drop(held_back.row_id)

    def choose(self, value_id: int) -> None:
        self._choose(value_id)

    def _choose(self, value_id: int) -> None:
        self.flowsheet.choose(value_id)
        self.flowsheet.setFocus()

    def _decide(self, ids: list[int], action: Decision, *, go_on: bool = True) -> None:
        sheet = self.sheet
        if sheet and not (action == "confirm" and self.asks_whose()):
            key = "the button" if action == "reopen" else "Enter"
            self._accept(
                ids, key, lambda told: self._workbench.reviews.review(sheet, ids, action, confirmed=told), go_on
            )

    def _replace(self, value_id: int, value: Value | None, unit: str | None, observed_at: str | None) -> None:
        sheet = self.sheet
        if not sheet or self.asks_whose():
            return
        if value is None:
            self._accept(
                [value_id], "P", lambda told: self._workbench.reviews.put_in_place(sheet, value_id, confirmed=told)
            )
        else:
            self._edit(value_id, value, unit, observed_at, replacing=True)

    def _edit(
        self, value_id: int, value: Value, unit: str | None, observed_at: str | None, *, replacing: bool = False
    ) -> None:
        sheet = self.sheet
        if not sheet or self.asks_whose():
            return
        self._accept(
            [value_id],
            "P" if replacing else "Enter",
            lambda told: self._workbench.reviews.edit(
                sheet, value_id, value, unit, observed_at, replacing=replacing, confirmed=told
            ),
        )

    def _accept(self, ids: list[int], key: str, decide: Callable[[Caution | None], AnyJob], go_on: bool = True) -> None:
        """Makes a decision about the value shown, with what the person was asked about and sees; asks where that lacks.

        Nothing happens where the press came too soon to be meant for it: see `DecisionPace`.

        Args:
            key: what is to be pressed again.
        """
        doubtful = any(value_id in self._deciding or self.flowsheet.wants_a_look(value_id) for value_id in ids)
        if not self.pace.allows(doubtful=doubtful):
            return
        try:
            decide(self.detail.again.caution)
        except OutOfRangeValue as error:
            self.pace.decided(doubtful=True)  # the question is to be read
            self.detail.ask_again(error, key)
        except InputError as error:
            self.detail.show_error(error)
        else:
            self.pace.decided(doubtful=doubtful)
            self._deciding.update(ids)
            self._leave(go_on=go_on)

    def _leave(self, *, go_on: bool) -> None:
        self.detail.forget()
        if go_on:
            self.flowsheet.choose_next()
        self.flowsheet.setFocus()

    # playing

    def show_words(self, start: int, end: int) -> None:
        """Lights these words of the transcript in place of the chosen value's, and plays them where it can."""
        if not (self.sheet and self.sheet.transcript):
            return
        said = self.sheet.transcript.text[start:end]
        around = [one for one in self.sheet.sentences if one.start < end and start < one.end]
        sentence = (around[0].start, around[-1].end) if around else (start, end)
        self.player.stop()
        self._pinned = Evidence(start, end, said, min(sentence[0], start), max(sentence[1], end))
        self._show_place()
        self.toggle_play()

    def toggle_play(self) -> None:
        """Plays what is lit, or stops."""
        if self.player.playing:
            self.player.stop()
            return
        span = self._audio_span()
        if span and self.sheet and self.sheet.dictation.path.exists() and not self.player.reason():
            self.player.play(self.sheet.dictation.path, *span)

    def _audio_span(self) -> tuple[float, float] | None:
        place = self._place
        if not place or not self.sheet or not self.sheet.transcript:
            return None
        return self.sheet.transcript.audio_span(place.start, place.end)

    def show_playing(self) -> None:
        """Says whether what is lit plays, or why it cannot."""
        if not self.sheet:
            return
        if self.sheet.dictation.kind == "text":
            reason = "This dictation came as a text; there is nothing to hear."
        elif not self.sheet.dictation.path.exists():
            reason = "The sound was removed, as the settings say; there is nothing to hear any more."
        elif self._audio_span() is None:
            reason = "There is no time in the recording for this."
        else:
            reason = self.player.reason()
        self.detail.set_playing(self.player.playing, reason)
        self.leftovers.set_playing(self.player.playing, reason)


def _beside(icon: QWidget, words: QWidget) -> QWidget:
    """A quiet line of words behind an icon."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(16, 0, 12, 5)
    layout.setSpacing(6)
    layout.addWidget(icon)
    layout.addWidget(words, 1)
    return line


def _plain(widget: QWidget) -> QWidget:
    """A widget around another, which can be hidden whatever the other one does."""
    outer = QWidget()
    layout = QVBoxLayout(outer)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)
    return outer
