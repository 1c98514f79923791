"""Asks the questions of the page about the ward, and shows what is answered."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from app.chart.records import Patient
from app.record.errors import NotSigned
from app.services.asking.jobs import Asked
from app.services.engine.job_lanes import AnyJob
from extraction.flowsheet.schema import Row
from extraction.questions.query import Condition, Measure, Query, Quote, Reason, Refusal, Select, Value
from extraction.questions.ward import WardPatient
from models.base.errors import WardlightError
from ui.asking.ask_page import AskPage
from ui.asking.chip_choices import Changeable, Editor, Ward, changeable, measure_of, without_condition
from ui.asking.condition_dialog import ConditionDialog
from ui.asking.row_choice import RowChoice
from ui.asking.tree_places import part_at, with_part
from ui.controllers.answer_sources import AnswerSources
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.dialogs.file_choice import choose_new_file
from ui.kit.jobs import nothing
from ui.kit.responsive_layout import accepted
from ui.kit.words import bed_text

_FILES = {"csv": "Table (*.csv)", "pdf": "Page to print (*.pdf)"}


class AskController(Controller):
    """Asks in words or by a part that was changed; offers what can be asked instead; saves answers."""

    def __init__(self, context: WindowContext, navigation: Navigation, page: AskPage) -> None:
        super().__init__(context)
        self._navigation, self._asking = navigation, page
        self._job: AnyJob | None = None
        self._rivals: tuple[Query, ...] = ()
        page.ask_asked.connect(self.ask)
        page.tree_asked.connect(self._ask_tree)
        page.editor_asked.connect(self._edit)
        page.export_asked.connect(self._export)
        page.copied.connect(lambda: self._message.show_message("done", "The answer was copied."))
        page.stop_asked.connect(self._stop)
        page.left.connect(self.leave)
        self.sources = AnswerSources(context, navigation, page)

    def show_page(self) -> None:
        """Opens the page, or moves the cursor to its field if it is open."""
        page = self._asking
        if not page.isVisible():
            self._navigation.show_beside(page)
            if page.asked is None:
                page.show_nothing(charted=any(one.decided for one in self._selection.overview.entries))
        page.field.setFocus()
        page.field.selectAll()

    def leave(self) -> None:
        """Goes back to where the page was opened."""
        self._stop()
        self.sources.stop()
        self._navigation.come_back()

    # asking

    def ask(self, question: str) -> None:
        """Asks a question in words."""
        self._asking.field.remember(question)
        self._rivals = ()
        with suppress(NotSigned):  # whoever leaves the question who asks needs no message
            self._workbench.signing.sign()  # an answer tells about all patients, so the log must say who asked
            self._watch(self._workbench.asking.ask(question))

    def _ask_tree(self, query: Query) -> None:
        with suppress(NotSigned):
            self._workbench.signing.sign()
            self._watch(self._workbench.asking.answer(query, self._question))

    @property
    def _question(self) -> str:
        asked = self._asking.asked
        return asked.understood.question if asked else self._asking.field.text()

    def _watch(self, job: AnyJob) -> None:
        self._stop()
        self._job = job
        self._asking.busy.begin()
        self._jobs.watch(job, done=partial(self._show, job), failed=partial(self._failed, job), stopped=nothing)

    def _stop(self) -> None:
        """Does not wait for the answer any longer; its job ends as soon as it looks."""
        if self._job and not self._job.ended:
            self._job.cancel()
        self._job = None
        self._asking.stop_asking()

    def _failed(self, job: object, error: WardlightError) -> None:
        if job is self._job:
            self._asking.stop_asking()
            self._asking.show_error(error)
            self._message.show_error(error)

    def _show(self, job: object, asked: Asked) -> None:
        if job is not self._job:
            return  # another one was asked meanwhile
        page, understood = self._asking, asked.understood
        page.stop_asking()
        self._job = None
        self.sources.forget()
        if asked.answer.refusal:
            page.show_refusal(asked, self._offers(asked.answer.refusal, understood.question))
            if understood.query:  # a part that was changed can be changed again
                page.chips.show_parts(changeable(understood.query, self._ward(asked.answer.asked_at)))
            return
        self._rivals = understood.rivals or self._rivals
        query = asked.answer.query
        assert query
        ward = self._ward(asked.answer.asked_at)
        page.show_answer(asked, changeable(query, ward), [one for one in self._rivals if one != query])

    def _ward(self, now: datetime) -> Ward:
        patients = tuple(_ward_patient(one) for one in self._selection.overview.patients if not one.discharged)
        shifts = self._workbench.settings.current.shifts
        return Ward(self._workbench.workspace.schema, patients, now, shifts, self._rivals)

    def _offers(self, refusal: Refusal, question: str) -> dict[str, Callable[[], object]]:
        """What can be asked instead of a question that is refused."""
        offers: dict[str, Callable[[], object]] = {}
        schema = self._workbench.workspace.schema
        for name in refusal.near:
            row = next((row for row in schema.rows if row.name == name), None)
            if row:
                offers[name] = partial(self._ask_tree, Select(values=(Value(measure_of(row, schema)),)))
        known = {one.id: one for one in self._selection.overview.patients}
        for patient in (known[one] for one in refusal.patients if one in known):
            words = bed_text(patient.bed) or patient.name
            asked = question.replace(refusal.words, words) if refusal.words else f"{question} {words}"
            offers[f"{patient.name} · {words}"] = partial(self._asking.ask_for, asked)
        if refusal.reason is Reason.NOT_IN_THE_NOTES and refusal.words:
            offers[f"What was said about “{refusal.words}”"] = partial(self._ask_tree, Quote(refusal.words))
        return offers

    # editing a part

    def _edit(self, part: Changeable) -> None:
        asked = self._asking.asked
        query = asked.understood.query if asked else None
        if query is None:
            return
        if part.editor is Editor.ROW:
            self._choose_row(query, part)
        else:
            self._edit_condition(query, part)

    def _choose_row(self, query: Query, part: Changeable) -> None:
        schema = self._workbench.workspace.schema
        dialog = RowChoice(self._theme, schema, self._parent)
        if accepted(dialog) and dialog.row:
            self._ask_tree(with_part(query, part.place, measure_of(dialog.row, schema)))

    def _edit_condition(self, query: Query, part: Changeable) -> None:
        condition = part_at(query, part.place)
        assert isinstance(condition, Condition)
        without = without_condition(query, part.place)
        dialog = ConditionDialog(condition, self._row_of(condition), removable=without is not None, parent=self._parent)
        if not accepted(dialog):
            return
        if dialog.condition is not None:
            self._ask_tree(with_part(query, part.place, dialog.condition))
        elif without is not None:
            self._ask_tree(without)

    def _row_of(self, condition: Condition) -> Row | None:
        measure = condition.value.measure if isinstance(condition.value, Value) else Measure("", ())
        rows = self._workbench.workspace.schema.by_id
        return rows.get(measure.row_ids[0]) if measure.row_ids else None

    # files

    def _export(self, suffix: str) -> None:
        asked = self._asking.asked
        if asked is None or asked.answer.refusal:
            return
        suggested = f"answer {asked.answer.asked_at:%Y-%m-%d %H%M}.{suffix}"
        path = choose_new_file(self._parent, "Save the answer", _FILES[suffix], suggested)
        if path is None:
            return
        path = path if path.suffix.lower() == f".{suffix}" else path.with_name(f"{path.name}.{suffix}")
        self._jobs.watch(
            self._workbench.asking.export(asked, path),
            done=lambda _: self._message.show_message("done", f"Saved as {path.name}.", str(path.parent)),
            failed=self._message.show_error,
        )


def _ward_patient(one: Patient) -> WardPatient:
    return WardPatient(one.id, one.name, one.bed or None, one.mrn or None)
