"""Every view and dialog of the window, brought about as a person would: for pictures, and for tests that look at all.

Another view is one more function with `@view`: it takes the stage, brings the view about, and shows its widget.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.record_system import DeliverySettings
from app.system.settings import Settings, save_settings
from models.base.errors import ResourceError
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if
from tests.gui.conftest import Ward, lay_out
from tests.kit import fake_app
from tests.kit.audio import voice
from tests.kit.charted import DAY, Days, hearing_98, worked_out
from tests.kit.fake_app import (
    MORE,
    TEXT,
    WEIGHED_BY,
    FakeEngine,
    break_down,
    calibrated_lighting,
    die,
    follow,
    until_cancelled,
    write_schema,
)
from tests.kit.ward_exports import ROWS as EXPORTED
from tests.kit.ward_exports import write_exports, write_rows
from ui.kit.theme import Theme

CTRL = Qt.KeyboardModifier.ControlModifier
Show = Callable[[QWidget], None]
USUAL = QSize(1280, 800)


class Stage:
    """Where views are brought about: windows on a fake engine, closed at the end.

    Args:
        waiter: has pytest-qt's `waitUntil` and `wait`.
        folder: for files; the program's own are where WARDLIGHT_DATA says.
        size: of the window; None for as large as the screen has room for.
    """

    def __init__(self, waiter: Any, folder: Path, theme: str = "light", size: QSize | None = USUAL) -> None:
        self._waiter, self.folder, self._theme, self._size = waiter, folder, theme, size
        self._wards: list[Ward] = []

    def open(self, engine: FakeEngine | None = None, **chosen: Any) -> Ward:
        """A window of a ward that is set up, unless `chosen` settings say otherwise."""
        usual = {"schema": str(write_schema(self.folder)), "reviewer": "R. Nurse", "setup_finished": True}
        save_settings(Settings(**(usual | {"theme": self._theme} | chosen)), paths.config_file())
        return self.again(engine)

    def again(self, engine: FakeEngine | None = None) -> Ward:
        """A window with the settings that there are."""
        ward = Ward(self._waiter, engine or FakeEngine(), self.folder, theme=self._theme)
        self._wards.append(ward)
        ward.window.resize(self._size or ward.window.screen().availableGeometry().size())
        ward.until_ready()
        return ward

    def reviewing(self, engine: FakeEngine | None = None) -> Ward:
        """A recording waits for review; three of its values are lit."""
        engine = engine or FakeEngine()
        engine.weighed_by = WEIGHED_BY
        ward = self.open(engine)
        ward.add_patient()
        ward.open_recording()
        ward.until_review()
        return ward

    def delivering(self, drop: Path) -> Ward:
        """As `reviewing`, where filed values are handed over through a drop folder."""
        engine = FakeEngine()
        engine.weighed_by = WEIGHED_BY
        delivery = DeliverySettings("folder", str(drop))
        ward = self.open(engine, delivery=delivery, file_folder=str(self.folder / "Chart files"))
        ward.add_patient()
        ward.open_recording()
        ward.until_review()
        return ward

    @property
    def theme(self) -> Theme:
        """The look of the window that was opened last."""
        return self._wards[-1].theme

    def close(self) -> None:
        for ward in self._wards:
            ward.close()


@dataclass(frozen=True)
class View:
    """A view by its name, with what is seen in it; `bring` brings it about and shows it."""

    name: str
    about: str
    bring: Callable[[Stage, Show], None]


VIEWS: list[View] = []


def view(name: str, about: str) -> Callable[[Callable[[Stage, Show], None]], Callable[[Stage, Show], None]]:
    def register(bring: Callable[[Stage, Show], None]) -> Callable[[Stage, Show], None]:
        VIEWS.append(View(name, about, bring))
        return bring

    return register


@contextmanager
def calibrated() -> Iterator[None]:
    """What the fake engine fills is lit by a calibration on invented values."""
    with (
        patch("app.lighting.lighting", calibrated_lighting),
        patch("app.services.settings.service.lighting", calibrated_lighting),
    ):
        yield


def bring(one: View, stage: Stage, show: Show) -> None:
    """Brings a view about, shows it painted, and closes what it opened."""

    def painted(widget: QWidget) -> None:
        lay_out()
        show(widget)

    with ExitStack() as stack:
        stack.enter_context(calibrated())
        # whether this machine has a loudspeaker shows in no view
        stack.enter_context(patch("ui.review.evidence.evidence_player.EvidencePlayer._prepare", return_value=""))
        for module in (
            "kit.words",
            "recording.recovery_bar",
            "flowsheet.filed_bar",
            "dialogs.outbox",
            "flowsheet.detail.conflict_box",
            "patients.identity_bar",
        ):
            stack.enter_context(patch(f"ui.{module}.when_text", _always))
        try:
            one.bring(stage, painted)
        finally:
            stage.close()


def _always(*_: object) -> str:
    """A time of day, so that pictures that are made again are the same."""
    return "14:05"


# beginning


@view("start", "The empty window")
def _start(stage: Stage, show: Show) -> None:
    show(stage.open().window)


@view("start-patient", "A patient is chosen, nothing was recorded yet")
def _start_patient(stage: Stage, show: Show) -> None:
    ward = stage.open()
    ward.add_patient()
    ward.until(lambda: ward.window.start.open.isVisible())
    show(ward.window)


@view("patient", "Choosing or adding a patient")
def _patient(stage: Stage, show: Show) -> None:
    ward = stage.open()
    for name, bed, mrn in (("Hawthorne, Ada", "12", "004711"), ("Okafor, Ben", "3", "004712")):
        ward.add_patient(name, bed, mrn)
    ward.until(lambda: len(ward.window.selection.overview.patients) == 2)
    ward.in_dialog(lambda: ward.click(ward.window.banner.choose), show)


@view("ward-list", "What importing the list of the ward changes")
def _ward_list(stage: Stage, show: Show) -> None:
    ward = stage.open()
    store = ward.workbench.workspace.store
    known = (("Hawthorne, Ada", "12", "004711"), ("Okafor, Ben", "3", "004712"), ("Sorrel, Max", "5", "004713"))
    for name, bed, mrn in known:
        store.patients.add(name, bed, mrn, "1950-02-03")
    path = stage.folder / "ward 7 north.csv"
    path.write_text(
        "Name,MRN,DOB,Bed\n"
        "Hawthorne Ada,004711,1950-02-03,14B\nOkafor Ben,004712,1950-02-03,3\n"
        "Reyes Luz,004714,02/03/1971,9\nTran Minh,004715,1988-11-30,12\nVega Ana,4.71E+05,1962-05-17,8\n",
        encoding="utf-8",
    )

    def look(dialog: Any) -> None:
        ward.until(lambda: dialog.plan)
        show(dialog)

    ward.in_dialog(lambda: ward.window.ward_list.show_file(path), look)


@view("recording", "While a dictation is recorded")
def _recording(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.key(Qt.Key.Key_F9)
    ward.microphones.capture.give(voice(82.5, speech_db=-24.0))
    ward.until(lambda: "1:22" in ward.window.recorder.bar.text)
    show(ward.window)


@view("live", "Words and values while somebody speaks")
def _live(stage: Stage, show: Show) -> None:
    ward = stage.open()
    ward.add_patient()
    ward.engine.following = follow(7)
    ward.key(Qt.Key.Key_F9)
    ward.microphones.capture.give(voice(1.0)[:3200])
    ward.until(lambda: ward.window.live.isVisible() and "values so far" in ward.window.live.values.count.text())
    show(ward.window)
    ward.click(ward.window.recorder.bar.finish)
    ward.until_review()


@view("whose-recording", "Somebody else is named while a dictation is recorded")
def _whose_recording(stage: Stage, show: Show) -> None:
    ward = stage.open()
    for patient in (("Alvarez, Luis", "12", "004455"), ("Novak, Anna", "14B", "123456")):
        ward.add_patient(*patient)
    ward.engine.following = follow(7)
    ward.key(Qt.Key.Key_F9)
    ward.microphones.capture.give(voice(1.0)[:3200])
    ward.until(lambda: ward.window.spoken.isVisible() and "values so far" in ward.window.live.values.count.text())
    show(ward.window)
    ward.click(ward.window.recorder.bar.finish)
    ward.until_review()


@view("whose", "A dictation that names somebody else than its patient")
def _whose(stage: Stage, show: Show) -> None:
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = stage.open(engine)
    for patient in (("Alvarez, Luis", "12", "004455"), ("Novak, Anna", "14B", "123456")):
        ward.add_patient(*patient)
    ward.open_recording()
    ward.until_review()
    ward.until(ward.window.page.identity.isVisible)
    show(ward.window)


@view("working", "While Wardlight works")
def _working(stage: Stage, show: Show) -> None:
    engine = FakeEngine()
    engine.first_values = 7
    engine.before_fill.append(until_cancelled)
    ward = _with_recording(stage, engine)
    ward.until(lambda: "filling values" in ward.window.strip.text and ward.window.page.words.transcript.toPlainText())
    ward.until(lambda: ward.window.page.filling.values.isVisible())
    show(ward.window)


# reviewing


@view("review", "Reviewing a dictation")
def _review(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    page = ward.window.page
    for row_id in ("hr", "bp"):
        ward.choose(row_id)
        page.act("accept")
        ward.until_status(row_id, ReviewStatus.CONFIRMED)
    ward.choose("rhythm")
    page.act("reject")
    ward.until_status("rhythm", ReviewStatus.REJECTED)
    assert page.sheet
    ward.window.review.watch(ward.workbench.review.edit(page.sheet, ward.value("rr").id, 20.0, "/min"))
    ward.until_status("rr", ReviewStatus.EDITED)
    ward.choose("spo2")
    assert page.words.transcript.lit_text() == "94 percent"
    show(ward.window)


@view("lit", "Flagged values, and why")
def _lit(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.key(Qt.Key.Key_L)
    ward.key(Qt.Key.Key_L)
    ward.key(Qt.Key.Key_L)
    show(ward.window)


@view("detail", "Another reading stands in the editor, not saved yet")
def _detail(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.choose("device")
    ward.key(Qt.Key.Key_1)
    assert ward.window.page.detail.unsaved
    show(ward.window)


def _leftover(stage: Stage, show: Show, key: Qt.Key) -> None:
    engine = FakeEngine()
    engine.heard = TEXT + MORE
    ward = stage.reviewing(engine)
    ward.choose("hr")
    ward.key(key, CTRL)
    assert ward.window.page.leftovers.opened
    show(ward.window)


@view("maybe-said", "What was maybe said")
def _maybe(stage: Stage, show: Show) -> None:
    _leftover(stage, show, Qt.Key.Key_M)


@view("said-not-charted", "What was said and not charted")
def _uncharted(stage: Stage, show: Show) -> None:
    _leftover(stage, show, Qt.Key.Key_N)


@view("add-row", "Adding a row by hand")
def _add_row(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()

    def find(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "diet")
        show(dialog)

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_F, CTRL), find)


@view("export", "Exporting what was confirmed")
def _export(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.click(ward.window.page.head.accept_all)
    ward.until(lambda: ward.window.page.head.export.isEnabled())

    def look(dialog: Any) -> None:
        dialog.folder.setText("/home/ward/flowsheets")
        show(dialog)

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_E, CTRL), look)


@view("move", "Moving a dictation to another patient, and what becomes of what was decided")
def _move(stage: Stage, show: Show) -> None:
    ward = _decided_beside_another(stage)

    def look(dialog: Any) -> None:
        dialog.list.setCurrentRow(0)
        show(dialog)

    ward.in_dialog(lambda: ward.window.dictations.ask_patient(), look)


@view("delete", "Deleting a dictation, for a reason")
def _delete(stage: Stage, show: Show) -> None:
    ward = _decided_beside_another(stage)

    def look(dialog: Any) -> None:
        dialog.reasons[1].setFocus()
        dialog.reasons[1].click()
        show(dialog)

    ward.in_dialog(lambda: ward.window.dictations.ask_reason(), look)


def _decided_beside_another(stage: Stage) -> Ward:
    """Some values of the dictation that is shown are decided, and there is a patient besides its own."""
    ward = stage.reviewing()
    ward.workbench.workspace.store.patients.add("Sorrel, Max", "3", "000333")
    ward.click(ward.window.page.head.accept_all)
    ward.until(
        lambda: ward.window.selection.overview.entries[0].decided and len(ward.window.selection.overview.patients) == 2
    )
    return ward


@view("filing", "Where reviews are filed, asked the first time")
def _filing(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    _accept_everything(ward)
    seen = []

    def look(dialog: Any) -> None:
        dialog.folder.setText("/home/ward/flowsheets")
        show(dialog)
        seen.append(dialog)

    def file() -> None:
        ward.click(ward.window.page.head.file)
        ward.key(Qt.Key.Key_F)  # after the last look
        ward.until(lambda: seen)

    ward.in_dialog(file, look)


@view("filed", "A dictation that is filed")
def _filed(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.workbench.workspace.settings = replace(
        ward.workbench.settings.current, file_folder=str(stage.folder / "Chart files")
    )
    _accept_everything(ward)
    ward.click(ward.window.page.head.file)
    ward.key(Qt.Key.Key_F)
    ward.until(ward.window.page.filed.isVisible)
    show(ward.window)


@view("filed-refused", "A filed dictation that the record system refused")
def _refused(stage: Stage, show: Show) -> None:
    show(_refused_ward(stage).window)


@view("outbox", "The outbox: what the record system accepted and refused")
def _outbox(stage: Stage, show: Show) -> None:
    ward = _refused_ward(stage)

    def look(dialog: Any) -> None:
        ward.until(lambda: dialog.chosen)
        show(dialog)

    ward.in_dialog(lambda: ward.click(ward.window.page.filed.refused), look)


def _refused_ward(stage: Stage) -> Ward:
    drop = stage.folder / "interface"
    drop.mkdir(exist_ok=True)
    ward = stage.delivering(drop)
    _accept_everything(ward)
    ward.click(ward.window.page.head.file)
    ward.key(Qt.Key.Key_F)
    ward.until(ward.window.page.filed.isVisible)
    ward.until(lambda: list(drop.glob("*.json")))
    (sent,) = drop.glob("*.json")
    (drop / f"{sent.name}.err").write_text("Patient 004711 has no open encounter on this ward.", encoding="utf-8")
    ward.window.outbox.deliver()
    ward.until(lambda: ward.window.page.filed.refused.isVisible())
    return ward


def _accept_everything(ward: Ward) -> None:
    page = ward.window.page
    assert page.sheet
    for value_id in page.sheet.lights:
        row_id = next(value.row_id for value in ward.values() if value.id == value_id)
        page.choose(value_id)
        lay_out()
        ward.key(Qt.Key.Key_A)
        if page.current and page.current.id == value_id:  # it only went to the evidence
            lay_out()
            ward.key(Qt.Key.Key_A)
        ward.until_status(row_id, ReviewStatus.CONFIRMED)
    ward.click(page.head.accept_all)
    ward.until(lambda: all(value.status is ReviewStatus.CONFIRMED for value in ward.values()))


# the chart


@contextmanager
def _busy(stage: Stage) -> Iterator[tuple[Ward, Days]]:
    """A ward of four patients, one of whom was charted the day before and waits for review."""
    with ExitStack() as stack:
        days = Days(lambda place, new: stack.enter_context(patch(place, new)), stage.folder)
        days.fill_ward()
        engine = FakeEngine()
        engine.weighed_by = WEIGHED_BY
        ward = stage.open(engine)
        ward.until_review()
        ward.until(lambda: "3 to check" in ward.window.side.patients.texts()[-1])
        yield ward, days


@view("patients", "The patients of the ward, and looking for one")
def _patients(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        ward.key(Qt.Key.Key_B)
        ward.key(Qt.Key.Key_Up)
        show(ward.window)


@view("history", "Earlier assessments beside the values")
def _history(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        ward.key(Qt.Key.Key_H)
        if ward.window.side.isVisible():  # the list gives way to more columns
            ward.key(Qt.Key.Key_L, CTRL | Qt.KeyboardModifier.ShiftModifier)
        ward.choose("spo2")
        flowsheet = ward.window.page.flowsheet
        flowsheet.scrollTo(flowsheet._model.index(1, 0), flowsheet.ScrollHint.PositionAtTop)
        show(ward.window)


@view("last-look", "A last look before filing")
def _last_look(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    settings = replace(ward.workbench.settings.current, file_folder=str(stage.folder / "Chart files"), last_look=True)
    ward.workbench.workspace.settings = settings
    _accept_everything(ward)
    ward.key(Qt.Key.Key_F)
    show(ward.window)


@view("handover", "A patient's handover")
def _handover(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        _in_dialog_after(ward, (Qt.Key.Key_D, CTRL), show)


@view("handover-ward", "The handover of the ward")
def _handover_ward(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        _in_dialog_after(ward, (Qt.Key.Key_D, CTRL | Qt.KeyboardModifier.ShiftModifier), show)


@view("note", "The nurse's note")
def _note(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    _accept_everything(ward)
    _in_dialog_after(ward, (Qt.Key.Key_T, CTRL), show)


def _in_dialog_after(ward: Ward, key: tuple[Qt.Key, Qt.KeyboardModifier], show: Show) -> None:
    """Shows the dialog that a key opens once its job is done."""
    shown: list[QWidget] = []

    def look(dialog: QWidget) -> None:
        lay_out()
        show(dialog)
        shown.append(dialog)

    def act() -> None:
        ward.key(*key)
        ward.until(lambda: shown)

    ward.in_dialog(act, look)


@view("missing", "Required rows without a value")
def _missing(stage: Stage, show: Show) -> None:
    schema = json.dumps(fake_app.SCHEMA)
    for row_id in ("hr", "visitors", "diet"):
        schema = schema.replace(f'"id": "{row_id}"', f'"id": "{row_id}", "required": true')
    with patch.object(fake_app, "SCHEMA", json.loads(schema)):
        ward = stage.reviewing()
    ward.key(Qt.Key.Key_J, CTRL)
    show(ward.window)


@view("chart", "The patient's chart: rows down, times across")
def _chart(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        ward.choose("spo2")
        ward.key(Qt.Key.Key_C)
        show(ward.window)


@view("graph", "The numbers of the chart over time")
def _graph(stage: Stage, show: Show) -> None:
    with _busy(stage) as (ward, _):
        ward.key(Qt.Key.Key_G)
        show(ward.window)


@view("conflict", "Two values claim one place in the chart")
def _conflict(stage: Stage, show: Show) -> None:
    with (
        patch("tests.kit.fake_app.values_of", hearing_98(fake_app.values_of)),
        _busy(stage) as (ward, days),
    ):
        ward.choose("hr")
        ward.key(Qt.Key.Key_A)
        ward.until_status("hr", ReviewStatus.CONFIRMED)
        days.at(f"{DAY}T20:15")
        ward.open_text("addendum.txt", TEXT.replace("Heart rate is 112", "Heart rate is 98"))
        ward.until_filled("addendum.txt")
        ward.choose("hr")
        ward.until(ward.window.page.detail.conflict.isVisible)
        show(ward.window)


@contextmanager
def _timed(stage: Stage) -> Iterator[Ward]:
    """A dictation that says when something was observed, in a ward whose schema works out the mean pressure."""
    with ExitStack() as stack:
        Days(lambda place, new: stack.enter_context(patch(place, new)), stage.folder).at(f"{DAY}T20:15")
        stack.enter_context(worked_out())
        yield stage.reviewing()


@view("times", "When something was observed")
def _times(stage: Stage, show: Show) -> None:
    with _timed(stage) as ward:
        ward.choose("weight")
        ward.until(ward.window.page.detail.observed.isVisible)
        show(ward.window)


@view("scores", "A score, calculated from other values")
def _scores(stage: Stage, show: Show) -> None:
    with _timed(stage) as ward:
        page = ward.window.page
        page.flowsheet.choose(("map", None))
        ward.until(page.score.isVisible)
        show(ward.window)


# settings and help


def _settings(stage: Stage, show: Show, head: str, act: Callable[[Ward, Any], None] = lambda *_: None) -> None:
    ward = stage.open(schema="")
    ward.add_patient()

    def look(dialog: Any) -> None:
        ward.until(lambda: "Calculating" not in dialog.lights.outlook.text())
        ward.click(getattr(dialog, head))
        act(ward, dialog)
        ward.qtbot.wait(300)  # the sign that clears a field fades
        show(dialog)

    ward.in_dialog(ward.window.actions_["settings"].trigger, look)


@view("settings", "The settings: person, look and schema")
def _settings_general(stage: Stage, show: Show) -> None:
    _settings(stage, show, "general")


@view("settings-lit", "How much is flagged")
def _settings_lit(stage: Stage, show: Show) -> None:
    _settings(stage, show, "lighting", lambda ward, dialog: ward.click(dialog.lights.advanced))


@view("settings-models", "The models and the machine")
def _settings_models(stage: Stage, show: Show) -> None:
    _settings(stage, show, "machine")


@view("settings-recording", "The settings of the recording, after a test of the microphone")
def _settings_recording(stage: Stage, show: Show) -> None:
    def test(ward: Ward, dialog: Any) -> None:
        QTest.mouseClick(dialog.record.input.test, Qt.MouseButton.LeftButton)
        ward.microphones.capture.give(voice(10.5))

    _settings(stage, show, "recording", test)


@view("settings-filing", "Where and how reviewed dictations are filed")
def _settings_filing(stage: Stage, show: Show) -> None:
    _settings(stage, show, "files")


@view("settings-record-system", "How filed values reach the record system")
def _settings_record_system(stage: Stage, show: Show) -> None:
    def fill(ward: Ward, dialog: Any) -> None:
        fields = dialog.filing.record_system
        fields.channel.setCurrentIndex(fields.channel.findData("fhir"))
        fields.address.setText("https://chart.harbour/fhir")
        fields.names["mrn_system"].setText("urn:oid:1.2.4")
        fields.sign_in.kind.setCurrentIndex(fields.sign_in.kind.findData("client"))
        fields.sign_in.user.setText("wardlight")
        fields.sign_in.secret.setFocus(Qt.FocusReason.TabFocusReason)

    _settings(stage, show, "files", fill)


@view("keys", "The keys")
def _keys(stage: Stage, show: Show) -> None:
    ward = stage.reviewing()
    ward.key(Qt.Key.Key_Question)
    show(ward.window)


@view("about", "About Wardlight")
def _about(stage: Stage, show: Show) -> None:
    ward = stage.open()
    entry = next(action for action in ward.window.actions_.all if "About" in action.text())
    ward.in_dialog(entry.trigger, show)


# the first start


def _assistant(stage: Stage, engine: FakeEngine | None = None, page: int = 0, **chosen: Any) -> tuple[Ward, Any]:
    # the picture must not name the folder of whoever makes it
    with patch.dict(os.environ, WARDLIGHT_MODELS="/home/nurse/.local/share/wardlight/models"):
        ward = stage.open(engine, **({"setup_finished": False, "schema": "", "reviewer": ""} | chosen))
        ward.until(lambda: ward.window.set_up.assistant)
    ward.until_idle()  # what is known of the models, too, has taken its room
    assistant = ward.window.set_up.assistant
    assert assistant
    assistant.activateWindow()
    for number in range(1, page + 1):
        assistant.go(number)
        if number == 2:
            ward.until(lambda: "Checking" not in assistant.schema.text)
    return ward, assistant


def _two_missing() -> FakeEngine:
    engine = FakeEngine(missing=("whisper-base", "qwen2.5-coder-1.5b-q4"))
    engine.brought["whisper-base"] = 31_000_000
    return engine


@view("assistant-models", "The first start: models that are missing")
def _assistant_models(stage: Stage, show: Show) -> None:
    show(_assistant(stage, _two_missing())[1])


@view("assistant-download", "The first start: a model comes")
def _assistant_download(stage: Stage, show: Show) -> None:
    def some(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        monitor.report(Progress("install", 0.62, "Getting Whisper base: 92 of 148 MB"))
        until_cancelled_quietly(monitor.cancelled)

    engine = _two_missing()
    engine.before_install.append(some)
    ward, assistant = _assistant(stage, engine)
    ward.click(assistant.models.download)
    ward.until(lambda: "62%" in assistant.models._lines["whisper-base"].text)
    show(assistant)
    ward.click(assistant.models.cancel)
    ward.until(lambda: assistant.models.download.isVisible())


def until_cancelled_quietly(cancelled: CancelledCallback) -> None:
    """Waits without another report."""
    import time

    while not cancelled():
        time.sleep(0.005)
    stop_if(cancelled)


@view("assistant-full-disk", "The first start: the disk was full")
def _assistant_full(stage: Stage, show: Show) -> None:
    def full(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        raise ResourceError(
            "Whisper base needs 0.18 GB (181,000,000 bytes) of disk space; the folder has 0.02 GB free.",
            "Free some space, or choose another folder for models with WARDLIGHT_MODELS.",
        )

    engine = _two_missing()
    engine.before_install.append(full)
    ward, assistant = _assistant(stage, engine)
    ward.click(assistant.models.download)
    ward.until(lambda: assistant.models.error.isVisible() and assistant.models.download.isVisible())
    show(assistant)


@view("assistant-microphone", "The first start: microphone, while it is tested")
def _assistant_microphone(stage: Stage, show: Show) -> None:
    ward, assistant = _assistant(stage, page=1)
    ward.click(assistant.microphone.input.test)
    ward.microphones.capture.give(voice(4.0))
    ward.until(lambda: ": 6 s" in assistant.microphone.input.verdict.text())
    show(assistant)


@view("assistant-schema", "The first start: schema")
def _assistant_schema(stage: Stage, show: Show) -> None:
    show(_assistant(stage, page=2)[1])


@view("assistant-broken-schema", "The first start: a schema file that cannot be used")
def _assistant_broken(stage: Stage, show: Show) -> None:
    path = write_schema(stage.folder).with_name("ward-9.json")
    text = (stage.folder / "ward.json").read_text(encoding="utf-8")
    path.write_text(text.replace('"Regular", "Irregular"', '"Regular", "regular"').replace(', "', ',\n"'))
    ward, assistant = _assistant(stage, page=2)
    ward.click(assistant.schema.own)
    assistant.schema.path.setText(str(path))
    assistant.schema.path.editingFinished.emit()
    ward.until(lambda: "cannot be used" in assistant.schema.text)
    assistant.schema.path.setText("/home/ward/ward-9.json")
    assistant.schema._what.setText(assistant.schema._what.text().replace(str(path), "/home/ward/ward-9.json"))
    show(assistant)


@view("assistant-ready", "The first start: ready")
def _assistant_ready(stage: Stage, show: Show) -> None:
    show(_assistant(stage, page=3)[1])


# messages and errors


@view("models-missing", "Models are not installed yet")
def _missing(stage: Stage, show: Show) -> None:
    ward = stage.open(_two_missing())
    ward.until(lambda: ward.window.message.text)
    show(ward.window)


@view("unfinished-recording", "After a crash: a recording that was not finished")
def _unfinished(stage: Stage, show: Show) -> None:
    first = stage.open()
    first.add_patient()
    first.key(Qt.Key.Key_F9)
    first.microphones.capture.give(voice(2.0))
    first.until(lambda: any(path.stat().st_size >= 64_000 for path in paths.unfinished_dir().glob("*/sound.pcm")))
    first.close()
    second = stage.again()
    second.until(lambda: second.window.recovery.isVisible())
    show(second.window)


def _with_recording(stage: Stage, engine: FakeEngine) -> Ward:
    ward = stage.open(engine)
    ward.add_patient()
    ward.open_recording()
    return ward


def _until_failed(ward: Ward) -> None:
    page = ward.window.page
    ward.until(lambda: ward.window.message.text and "Processing failed" in page.unfinished.notice.text())
    ward.until(lambda: page.words.transcript.toPlainText().split() == TEXT.split())


@view("failed", "A dictation that could not be finished")
def _failed(stage: Stage, show: Show) -> None:
    engine = FakeEngine()
    engine.before_fill.extend([die, die])  # after the first time it is filled again by itself
    ward = _with_recording(stage, engine)
    _until_failed(ward)
    show(ward.window)


@view("defect", "A defect of the program, with a report to copy")
def _defect(stage: Stage, show: Show) -> None:
    engine = FakeEngine()
    engine.before_fill.append(break_down)
    ward = _with_recording(stage, engine)
    _until_failed(ward)
    show(ward.window)


@view("closing", "Closing while a dictation is worked on")
def _closing(stage: Stage, show: Show) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = _with_recording(stage, engine)
    ward.until(lambda: "filling values" in ward.window.strip.text)
    ward.in_dialog(ward.window.close, show)


# the import from a record system


def _import(stage: Stage, *, missing: tuple[str, ...] = ()) -> tuple[Ward, Any]:
    """The import, after a folder of exports was read."""
    ward = stage.open(FakeEngine(missing=missing))
    ward.window.contracts.show_import()
    dialog = ward.window.contracts.dialog
    assert dialog
    dialog.folder.path.setText(str(write_exports(stage.folder / "exports", shifts=8)))
    dialog.go_on()
    ward.until(lambda: dialog.page is dialog.sources)
    return ward, dialog


def _updated(stage: Stage) -> tuple[Ward, Any]:
    """The import of a later export, which contradicts what is in use."""
    ward, dialog = _import(stage)
    dialog.go(dialog.use)
    dialog.go_on()
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    warmer = ("temp", "Temperature", "Numeric", "", "degF", "86", "110")
    write_rows(stage.folder / "exports", [warmer if row[0] == "temp" else row for row in EXPORTED])
    ward.window.contracts.show_import()
    dialog = ward.window.contracts.dialog
    assert dialog
    dialog.folder.path.setText(str(stage.folder / "exports"))
    dialog.go_on()
    ward.until(lambda: dialog.page is dialog.sources)
    return ward, dialog


@view("import-folder", "Import from the record system: the folder")
def _import_folder(stage: Stage, show: Show) -> None:
    ward = stage.open()
    ward.window.contracts.show_import()
    show(ward.window.contracts.dialog)
    ward.window.contracts.dialog.done(0)


@view("import-contents", "Import from the record system: what was found")
def _import_contents(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    show(dialog)
    dialog.done(0)


@view("import-question", "Import from the record system: a question")
def _import_question(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    dialog.go(dialog.questions)
    show(dialog)
    dialog.done(0)


@view("import-changes", "Import from the record system: what a later export changes")
def _import_changes(stage: Stage, show: Show) -> None:
    _, dialog = _updated(stage)
    dialog.go(dialog.changes)
    show(dialog)
    dialog.done(0)


@view("import-checks", "Import from the record system: the checks")
def _import_checks(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    dialog.go(dialog.checks)
    show(dialog)
    dialog.done(0)


@view("import-rows", "Import from the record system: the rows as they will appear")
def _import_rows(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    dialog.go(dialog.rows)
    show(dialog)
    dialog.done(0)


@view("import-codes", "Import from the record system: codes, which a person accepts")
def _import_codes(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    dialog.go(dialog.codes)
    dialog.codes.accept.click()
    dialog.codes.reject.click()
    show(dialog)
    dialog.done(0)


@view("import-try", "Import from the record system: one dictation is filled")
def _import_try(stage: Stage, show: Show) -> None:
    ward, dialog = _import(stage)
    dialog.go(dialog.trial)
    dialog.trial.text.setPlainText("Heart rate is 112. Respirations 22 on two liters by nasal cannula.")
    dialog.trial.fill.click()
    ward.until(lambda: dialog.trial.values.topLevelItemCount() == 3)
    show(dialog)
    dialog.done(0)


@view("import-use", "Import from the record system: the flowsheet is used")
def _import_use(stage: Stage, show: Show) -> None:
    _, dialog = _import(stage)
    dialog.go(dialog.use)
    show(dialog)
    dialog.done(0)


@view("no-row", "What many dictations say that has no row")
def _no_row(stage: Stage, show: Show) -> None:
    ward = stage.open()
    for number in range(3):
        ward.add_patient(f"Hawthorne {number}", str(number + 1), f"00{number}")
        ward.open_text(
            f"{number}.txt", f"Pedal bike {10 + number} minutes. Call light within reach, bed in low position."
        )
        ward.until_idle()
    ward.window.discovery.show_page()
    dialog = ward.window.discovery.dialog
    assert dialog
    ward.click(dialog.look)
    ward.until(lambda: dialog.found)
    show(dialog)
    dialog.done(0)


@view("catalogue", "Where each row came from")
def _catalogue(stage: Stage, show: Show) -> None:
    ward, dialog = _updated(stage)
    dialog.go(dialog.use)
    dialog.go_on()
    ward.until(lambda: ward.window.contracts.dialog is None)
    ward.until_idle()
    ward.window.contracts.show_catalogue()
    ward.in_dialog(ward.until_idle, show)
