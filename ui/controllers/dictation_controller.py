"""Renames, moves, deletes and restores dictations, changes their time, and shows their details."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.chart.recording_time import OPENED
from app.chart.records import Dictation, DictationEvent
from app.chart.sheet import DictationSummary
from app.operations.cautions import clock_words
from app.operations.dictations import DELETE, MOVE, PAST, RENAME, RESTORE, TIME, Deleted, Moved, Past
from app.system.job_lanes import Job
from app.workbench import Workbench
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.dictation import DeleteDialog, DetailsDialog, MoveDialog, RenameDialog, TimeDialog
from ui.kit.dictation_states import state_of
from ui.kit.job_answers import JobAnswers
from ui.kit.message_bar import MessageBar
from ui.kit.responsive_layout import accepted
from ui.kit.theme import Theme
from ui.kit.words import bed_text, identity_text, plural, recorded_text, when_text
from ui.patients.dictation_list import RecentList
from ui.patients.selection import Selection

_KINDS = {"audio": "Recording", "text": "Text"}


class DictationController(QObject):
    """Asks the user, calls the workbench and reports the result; `ask_*` use the dictation shown if no id is given.

    Signals:
        changed: a dictation has another patient, name or time and must be reloaded (its id).
        gone: a dictation was deleted (its id).
        back: a deleted dictation was restored (its id).
    """

    changed = Signal(int)
    gone = Signal(int)
    back = Signal(int)

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        workbench: Workbench,
        answers: JobAnswers,
        selection: Selection,
        recent: RecentList,
        message: MessageBar,
    ) -> None:
        super().__init__(parent)
        self._parent, self._theme, self._workbench = parent, theme, workbench
        self._selection, self._message = selection, message
        # the entry from the future that was told about, and the number of dictations then
        self._told: tuple[str, int] | None = None
        recent.rename_asked.connect(self.ask_name)
        recent.delete_asked.connect(self.ask_reason)
        recent.menu_asked.connect(self._open_menu)
        answers.on(MOVE, done=self._moved)
        answers.on(TIME, done=self._changed)
        answers.on(RENAME, done=self._changed)
        answers.on(DELETE, done=self._deleted)
        answers.on(RESTORE, done=self._restored)
        answers.on(PAST, done=self._show_past)

    def _open_menu(self, dictation_id: int, place: QPoint) -> None:
        """Opens the context menu of a dictation in the list."""
        menu = QMenu(self._parent)
        menu.setAccessibleName("Dictation")
        for words, icon, ask in (
            ("&Rename…\tF2", "edit", self.ask_name),
            ("Change the t&ime…", "history", self.ask_time),
            ("&Move to another patient…", "patient", self.ask_patient),
            ("&Delete…\tDel", "reject", self.ask_reason),
            ("De&tails", "info", self.ask_details),
        ):
            action = menu.addAction(self._theme.icon(icon), words)
            action.triggered.connect(lambda _=False, ask=ask: ask(dictation_id))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    # questions

    def ask_name(self, dictation_id: int | None = None) -> None:
        entry = self._entry(dictation_id)
        if entry:
            dialog = RenameDialog(self._theme, entry, self._parent)
            if accepted(dialog) and dialog.title.strip() != entry.dictation.title:
                title = dialog.title
                unless_unsigned(lambda: self._workbench.dictations.rename(entry.dictation.id, title))

    def ask_time(self, dictation_id: int | None = None) -> None:
        """Asks when a dictation was recorded and changes its time, unless it is filed."""
        entry = self._entry(dictation_id)
        if entry and not self._refused(entry, "change the time of"):
            dialog = TimeDialog(self._theme, entry, self._parent)
            before = dialog.made_at
            if accepted(dialog) and dialog.made_at != before:
                made_at = dialog.made_at
                unless_unsigned(lambda: self._workbench.dictations.change_time(entry.dictation.id, made_at))

    def ask_patient(self, dictation_id: int | None = None) -> None:
        """Asks which patient to move a dictation to, unless it is filed or being processed."""
        entry = self._entry(dictation_id)
        if not entry or self._refused(entry, "move"):
            return
        if self._workbench.intake.job_of(entry.dictation.id):
            self._message.show_message(
                "warning",
                "This dictation is being processed or is queued.",
                "Wait until it is finished or stop it, then move it.",
            )
            return
        dialog = MoveDialog(self._theme, entry, self._selection.overview.patients, self._parent)
        if accepted(dialog) and dialog.chosen:
            chosen = dialog.chosen
            unless_unsigned(lambda: self._workbench.move(entry.dictation.id, chosen))

    def ask_reason(self, dictation_id: int | None = None) -> None:
        """Asks for a reason and deletes a dictation, unless it is filed."""
        entry = self._entry(dictation_id)
        if entry and not self._refused(entry, "delete"):
            dialog = DeleteDialog(self._theme, entry, self._parent)
            if accepted(dialog):
                reason = dialog.reason
                unless_unsigned(lambda: self._workbench.dictations.delete(entry.dictation.id, reason))

    def ask_details(self, dictation_id: int | None = None) -> None:
        entry = self._entry(dictation_id)
        if entry:
            self._workbench.dictations.past(entry.dictation.id)

    def _entry(self, dictation_id: int | None) -> DictationSummary | None:
        return self._selection.entry(self._selection.dictation_id if dictation_id is None else dictation_id)

    def _refused(self, entry: DictationSummary, what: str) -> bool:
        if entry.filed:
            self._message.show_message(
                "warning", "This dictation is filed.", f"Reopen it first (Ctrl+R), then {what} it."
            )
        return entry.filed

    def tell_time(self, dictation: Dictation) -> None:
        """Warns if a file does not say when it was recorded, and offers to enter the time."""
        if dictation.time_source == OPENED:
            now, not_left = datetime.now(UTC), self._selection.until_left(dictation.id)

            def holds() -> bool:
                entry = self._selection.entry(dictation.id)
                return not_left() and (entry is None or entry.dictation.time_source == OPENED)

            self._message.show_message(
                "warning",
                f"“{dictation.name}” does not say when it was recorded.",
                f"Its values are charted at {when_text(dictation.created_at, now)}, when it was opened.",
                action="Chan&ge the time…",
                do=lambda: self.ask_time(dictation.id),
                holds=holds,
            )

    def tell_clock(self) -> None:
        """Warns if the clock is behind what was charted, once and then with each new dictation."""
        overview, selection = self._selection.overview, self._selection
        if not overview.entry_to_come:
            self._told = None
        elif self._told != (told := (overview.entry_to_come, len(overview.entries))):
            self._told = told
            what, next_step = clock_words(overview.entry_to_come, self._workbench.now)
            self._message.show_message("warning", what, next_step, holds=lambda: bool(selection.overview.entry_to_come))

    # results

    def _changed(self, _: Job[int, Dictation], dictation: Dictation) -> None:
        self.changed.emit(dictation.id)

    def _restored(self, _: Job[int, Dictation], dictation: Dictation) -> None:
        self._message.show_message("done", f"“{dictation.name}” is restored.")
        self.back.emit(dictation.id)

    def _moved(self, _: Job[int, Moved], moved: Moved) -> None:
        name = moved.dictation.name
        whose = ", ".join(filter(None, (moved.went.name, bed_text(moved.went.bed))))
        if moved.back:
            self._message.show_message(
                "done", f"“{name}” was moved back to {whose}.", "Its former decisions are restored."
            )
        else:
            count = moved.taken_back
            taken = f"; {plural(count, 'decision')} {'was' if count == 1 else 'were'} undone" if count else ""
            went = f"{plural(moved.values, 'value')} went with it and {'is' if moved.values == 1 else 'are'}"
            self._message.show_message(
                "done",
                f"“{name}” was moved to {whose}.",
                f"{went if moved.values else 'It had no values, and is'} filled again{taken}.",
                action="&Undo",
                do=lambda: unless_unsigned(lambda: self._workbench.dictations.move_back(moved)),
                stays=True,
            )
        self.changed.emit(moved.dictation.id)

    def _deleted(self, _: Job[int, Deleted], deleted: Deleted) -> None:
        number = deleted.dictation.id
        self._message.show_message(
            "done",
            f"“{deleted.dictation.name}” was deleted.",
            f"It belonged to {identity_text(deleted.patient)}.",
            action="&Undo",
            do=lambda: unless_unsigned(lambda: self._workbench.dictations.restore(number)),
            stays=True,
        )
        self.gone.emit(number)

    def _show_past(self, _: Job[int, Past], past: Past) -> None:
        # not inside this event, or no more events would arrive while the dialog is open
        QTimer.singleShot(0, self, lambda: self._show_details(past))

    def _show_details(self, past: Past) -> None:
        entry, dictation = self._entry(past.dictation.id), past.dictation
        now = datetime.now(UTC)
        state = state_of(entry, self._workbench).words if entry else ""
        times = [
            f"{when_text(one.changed_at, now)}: time changed from {when_text(one.former, now)} to "
            f"{when_text(one.made_at, now)} by {one.reviewer}"
            for one in past.times
        ]
        facts = [
            ("Patient", identity_text(past.patient)),
            ("Recorded", recorded_text(dictation, now)),
            ("Kind", _KINDS.get(dictation.kind, dictation.kind)),
            ("File", dictation.original_name),
            ("State", state),
            ("Error", dictation.error),
            ("Checksum", f"SHA-256 {dictation.sha256[:32]} {dictation.sha256[32:]}"),
            ("History", "\n".join([*(self._event_words(event, now) for event in past.events), *times])),
        ]
        accepted(DetailsDialog(dictation.name, [fact for fact in facts if fact[1]], self._parent))

    def _event_words(self, event: DictationEvent, now: datetime) -> str:
        names = {patient.id: patient.name for patient in self._selection.overview.patients}
        came, went = (names.get(number or 0, "?") for number in (event.from_patient_id, event.to_patient_id))
        what = {
            "move": f"moved from {came} to {went}",
            "rename": f"renamed to “{event.renamed_to}”" if event.renamed_to else "title removed",
            "delete": "deleted",
            "restore": "restored",
        }.get(event.action, event.action)
        reason = f" ({event.reason})" if event.reason else ""
        return f"{when_text(event.happened_at, now)}: {what} by {event.reviewer}{reason}"
