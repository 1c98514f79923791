"""Renames, moves, deletes and restores dictations, changes their time, and shows their details."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QMenu

from app.chart.recording_time import OPENED
from app.chart.records import Dictation, DictationEvent, Patient
from app.chart.sheet import DictationSummary
from app.services.dictations.jobs import Deleted, Moved, Past
from app.services.engine.job_lanes import Job
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.dictation import DeleteDialog, DetailsDialog, MoveDialog, RenameDialog, TimeDialog
from ui.kit.actions import BY_ID
from ui.kit.dictation_states import state_of
from ui.kit.responsive_layout import accepted
from ui.kit.words import bed_text, identity_text, plural, recorded_text, when_text
from ui.patients.dictation_list import RecentList

_KINDS = {"audio": "Recording", "text": "Text"}


class DictationController(Controller):
    """Asks the user, calls the workbench and reports the result; `ask_*` use the dictation shown if no id is given."""

    def __init__(self, context: WindowContext, navigation: Navigation, recent: RecentList) -> None:
        super().__init__(context)
        self._navigation = navigation
        # the entry from the future that was told about, and the number of dictations then
        self._told: tuple[str, int] | None = None
        recent.rename_asked.connect(self.ask_name)
        recent.delete_asked.connect(self.ask_reason)
        recent.menu_asked.connect(self._open_menu)
        navigation.read.connect(self._tell_clock)

    def _open_menu(self, dictation_id: int, place: QPoint) -> None:
        """Opens the context menu of a dictation in the list."""
        menu = QMenu(self._parent)
        menu.setAccessibleName("Dictation")
        for action_id, ask in (
            ("rename", self.ask_name),
            ("time", self.ask_time),
            ("move", self.ask_patient),
            ("delete", self.ask_reason),
            ("details", self.ask_details),
        ):
            entry = BY_ID[action_id]
            key = entry.other_key.removesuffix(" in the list")
            action = menu.addAction(self._theme.icon(entry.icon), f"{entry.text}\t{key}" if key else entry.text)
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
                unless_unsigned(lambda: self._change(self._workbench.dictations.rename(entry.dictation.id, title)))

    def ask_time(self, dictation_id: int | None = None) -> None:
        """Asks when a dictation was recorded and changes its time, unless it is filed."""
        entry = self._entry(dictation_id)
        if entry and not self._refused(entry, "change the time of"):
            dialog = TimeDialog(self._theme, entry, self._parent)
            before = dialog.made_at
            if accepted(dialog) and dialog.made_at != before:
                made_at = dialog.made_at
                unless_unsigned(
                    lambda: self._change(self._workbench.dictations.change_time(entry.dictation.id, made_at))
                )

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
            self.move(entry.dictation.id, dialog.chosen)

    def ask_reason(self, dictation_id: int | None = None) -> None:
        """Asks for a reason and deletes a dictation, unless it is filed."""
        entry = self._entry(dictation_id)
        if entry and not self._refused(entry, "delete"):
            dialog = DeleteDialog(self._theme, entry, self._parent)
            if accepted(dialog):
                reason = dialog.reason
                unless_unsigned(
                    lambda: self._jobs.watch(
                        self._workbench.dictations.delete(entry.dictation.id, reason), done=self._deleted
                    )
                )

    def ask_details(self, dictation_id: int | None = None) -> None:
        entry = self._entry(dictation_id)
        if entry:
            # not inside the event, or no more events would arrive while the dialog is open
            self._jobs.watch(
                self._workbench.dictations.past(entry.dictation.id),
                done=lambda past: QTimer.singleShot(0, self, lambda: self._show_details(past)),
            )

    def move(self, dictation_id: int, patient: Patient) -> None:
        """Moves a dictation to a patient."""
        unless_unsigned(
            lambda: self._jobs.watch(self._workbench.dictations.move(dictation_id, patient), done=self._moved)
        )

    def _change(self, job: Job[int, Dictation]) -> None:
        self._jobs.watch(job, done=lambda dictation: self._navigation.read_again(dictation.id))

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

    def _tell_clock(self) -> None:
        """Warns if the clock is behind what was charted, once and then with each new dictation."""
        overview, selection = self._selection.overview, self._selection
        if not overview.entry_to_come:
            self._told = None
        elif self._told != (told := (overview.entry_to_come, len(overview.entries))):
            self._told = told
            what, next_step = self._workbench.dictations.clock_warning(overview)
            self._message.show_message("warning", what, next_step, holds=lambda: bool(selection.overview.entry_to_come))

    # results

    def _restore(self, dictation_id: int) -> None:
        job = self._workbench.dictations.restore(dictation_id)
        self._jobs.watch(job, done=self._restored)

    def _restored(self, dictation: Dictation) -> None:
        self._message.show_message("done", f"“{dictation.name}” is restored.")
        self._navigation.show_restored(dictation.id)

    def _move_back(self, moved: Moved) -> None:
        self._jobs.watch(self._workbench.dictations.move_back(moved), done=self._moved)

    def _moved(self, moved: Moved) -> None:
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
                do=lambda: unless_unsigned(lambda: self._move_back(moved)),
                stays=True,
            )
        self._navigation.read_again(moved.dictation.id)

    def _deleted(self, deleted: Deleted) -> None:
        number = deleted.dictation.id
        self._message.show_message(
            "done",
            f"“{deleted.dictation.name}” was deleted.",
            f"It belonged to {identity_text(deleted.patient)}.",
            action="&Undo",
            do=lambda: unless_unsigned(lambda: self._restore(number)),
            stays=True,
        )
        self._navigation.leave_deleted(number)

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
