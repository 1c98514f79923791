"""The main window: its layout, and the connections between views and controllers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout, QWidget

from app.services.engine.job_lanes import JobEvent, JobFinished
from app.services.intake.jobs import Overheard
from app.services.workbench import Workbench
from ui.controllers.contract_controller import ContractController
from ui.controllers.controller import WindowContext
from ui.controllers.dictation_controller import DictationController
from ui.controllers.discovery_controller import DiscoveryController
from ui.controllers.filing_controller import FilingController
from ui.controllers.gap_controller import GapController
from ui.controllers.handover_controller import HandoverController
from ui.controllers.identity_controller import IdentityController
from ui.controllers.intake_controller import IntakeController
from ui.controllers.navigation import Navigation
from ui.controllers.outbox_controller import OutboxController
from ui.controllers.patient_controller import PatientController
from ui.controllers.review_controller import ReviewController
from ui.controllers.set_up_controller import SetUpController
from ui.controllers.settings_controller import SettingsController
from ui.controllers.signing_controller import SigningController
from ui.controllers.spoken_value_controller import SpokenValueController
from ui.controllers.ward_list_controller import WardListController, is_list
from ui.controllers.work_controller import WorkController
from ui.dialogs.questions import ask_to_close, show_about
from ui.dialogs.user_guide import UserGuide
from ui.kit.focus import EnterPresses, FocusKeeper
from ui.kit.jobs import Jobs
from ui.kit.message_bar import MessageBar
from ui.kit.responsive_layout import Pages, Scrolled, room_on_screen
from ui.kit.theme import Theme
from ui.kit.words import identity_text
from ui.patients.banner import Banner
from ui.patients.drop_target import DropTarget
from ui.patients.identity_bar import SpokenBar
from ui.patients.selection import Selection
from ui.patients.side_bar import SideBar, Sided
from ui.patients.start_page import StartPage
from ui.progress.work_strip import WorkStrip
from ui.recording.microphone import Microphones, QtMicrophones
from ui.recording.recorder import Recorder
from ui.recording.recovery_bar import RecoveryBar
from ui.review.live_page import LivePage
from ui.review.review_page import ReviewPage
from ui.shell.actions import Actions
from ui.shell.bridge import Bridge
from ui.shell.command_palette import find_command
from ui.shell.foot import Foot
from ui.shell.key_overlay import KeyOverlay
from ui.shell.record_controls import RecordControls
from ui.shell.value_menu import open_value_menu
from ui.shell.view_state import read_view_state

COMFORTABLE = QSize(1100, 680)  # from this window size up, nothing has to scroll


class MainWindow(QMainWindow):
    """The main window. It has no signals of its own; the workbench does the work, on its own threads."""

    def __init__(
        self, theme: Theme, workbench: Workbench, bridge: Bridge, microphones: Microphones | None = None
    ) -> None:
        super().__init__()
        self._theme, self.workbench = theme, workbench
        self._closing = self.restarting = False
        self._guide: UserGuide | None = None
        self.setWindowTitle("Wardlight")
        self.setMinimumSize(480, 320)
        self.resize(QSize(1280, 800).boundedTo(room_on_screen(self)).expandedTo(self.minimumSize()))

        self.banner = Banner(theme)
        self.message = MessageBar(theme)
        self.start = StartPage(theme)
        self.page = ReviewPage(theme, workbench)
        self.live = LivePage(theme)
        self.strip = WorkStrip(theme)
        self.spoken = SpokenBar(theme)
        self.side = SideBar(theme)
        self.microphones = microphones or QtMicrophones(self)
        self.recorder = Recorder(theme, workbench, self.microphones, self)
        self.recovery = RecoveryBar(theme)
        self._pages = Pages()
        for page in (self.start, self.page, self.live):
            self._pages.addWidget(page)
        self._lay_out()

        self.selection, self.jobs = Selection(), Jobs()
        self.message.place = lambda: self.selection.place
        self._create_controllers()
        self.keys = KeyOverlay(theme, lambda: self.actions_.groups, self)
        self.actions_ = Actions(self, theme, self.filing.refuse_change)
        self.actions_[f"theme-{theme.choice}"].setChecked(True)
        for menu in (self.menuBar(), *self.findChildren(QMenu)):
            self.page.presses.watch(menu)
        self._recording = RecordControls(self._context, self.actions_, self.intake, self.side, self.start, self.banner)
        FocusKeeper(self, self.navigation.back_to_values)
        EnterPresses(self)
        self.drops = DropTarget(self, self.intake.drop_words)
        self._connect(bridge)
        self._recording.use_key()
        self._update()

    def _lay_out(self) -> None:
        above, asked = QVBoxLayout(), QVBoxLayout()
        for bars, top in ((above, 6), (asked, 2)):
            bars.setContentsMargins(14, top, 14, 0)
            bars.setSpacing(8)
        above.addWidget(self.recorder.bar)
        asked.addWidget(self.spoken)
        asked.addWidget(self.recovery)
        centre, content = QWidget(), QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addLayout(above)
        self._sided = Sided(self.side, self._pages)
        parts = QVBoxLayout(content)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(0)
        parts.addLayout(asked)
        parts.addWidget(self._sided, 1)
        self._scrolled = Scrolled(content)
        layout.addWidget(self._scrolled, 1)
        layout.addWidget(Foot(self.page.below, self.message, self.strip))
        self.setCentralWidget(centre)

    def _create_controllers(self) -> None:
        self._context = context = WindowContext(
            window=self,
            theme=self._theme,
            workbench=self.workbench,
            jobs=self.jobs,
            message=self.message,
            selection=self.selection,
            recorder=self.recorder,
            page=self.page,
        )
        side, live, microphones = self.side, self.live, self.microphones
        self.work = work = WorkController(context, side, self.strip)
        self.navigation = navigation = Navigation(
            context, work, self.banner, self._sided, self._pages, self.start, live
        )
        self.signing = SigningController(context, self.banner)
        self.settings = SettingsController(context, work, navigation, microphones, self.banner)
        self.patients = PatientController(context, navigation, side.patients)
        self.dictations = DictationController(context, navigation, side.recent)
        self.intake = IntakeController(context, work, navigation, self.patients, self.dictations, self.recovery, live)
        self.identity = IdentityController(context, navigation, self.dictations, self.spoken)
        self.filing = FilingController(context, work, navigation, self.settings)
        self.outbox = OutboxController(context)
        self.review = ReviewController(context, work, navigation, self.filing, self.identity)
        self.handover = HandoverController(context, navigation)
        self.gaps = GapController(context, self.review)
        self.spoken_value = SpokenValueController(context, microphones, self.review)
        self.ward_list = WardListController(context, navigation)
        self.contracts = ContractController(context, self.settings)
        self.discovery = DiscoveryController(context)
        self.set_up = SetUpController(
            context, work, self.settings, self.signing, self.patients, microphones, self.intake.open_file
        )

    def _connect(self, bridge: Bridge) -> None:
        self.banner.list_asked.connect(self.navigation.find_patient)
        self.banner.chart_asked.connect(self.page.show_chart)
        self.banner.patient_asked.connect(lambda: self.patients.ask())  # noqa: PLW0108 - its `then` is not the signal's
        self.start.patient_asked.connect(lambda: self.patients.ask())  # noqa: PLW0108
        self.start.new_asked.connect(self.patients.add)
        self.start.import_asked.connect(self.ward_list.ask_file)
        self.side.open_asked.connect(self.intake.ask_file)
        self.start.open_asked.connect(self.intake.ask_file)
        self.recorder.changed.connect(self._update)
        self.recorder.changed.connect(self.work.mark_current)
        self.recorder.changed.connect(self.identity.follow)
        self.page.asked.connect(self.actions_.trigger)
        for values in (self.live.values, self.page.filling.values):
            values.flowsheet.asked.connect(self.actions_.trigger_whose)
        self.message.left.connect(self.navigation.back_to_values)
        self.page.flowsheet.menu_asked.connect(
            lambda place: open_value_menu(self._theme, self.actions_, self.page, place, self)
        )
        self.settings.opened.connect(self.intake.look_for_unfinished)
        self.settings.in_force.connect(self.signing.show)
        self.settings.in_force.connect(self.outbox.start)
        self.filing.filed.connect(self.outbox.deliver)
        self.settings.in_force.connect(self._recording.use_key)
        self.settings.restart_asked.connect(self._restart)
        self.settings.theme_chosen.connect(lambda choice: self.actions_[f"theme-{choice}"].setChecked(True))
        for changed in (self.page.changed, self.work.changed, self.navigation.changed):
            changed.connect(self._update)
        self.drops.dropped.connect(self._open_all)
        bridge.arrived.connect(self._take)

    # actions that no controller does

    def find_command(self) -> None:
        """Lets the user find an action by its words."""
        find_command(self.actions_.groups, self._current_row(), self)

    def show_about(self) -> None:
        """Shows the version and the licences."""
        show_about(self)

    def _current_row(self) -> str:
        """The name of the row of the current value; empty without one."""
        value, sheet = self.page.current, self.page.sheet
        return sheet.schema.row(value.row_id).name if value and sheet else ""

    def show_guide(self) -> None:
        """Opens the user guide, or brings it to the front."""
        if self._guide is None:
            self._guide = UserGuide(self._theme, self)
        self._guide.show()
        self._guide.raise_()
        self._guide.activateWindow()

    def open(self) -> None:
        """Opens the workbench, see `SettingsController.open_workbench`."""
        self.settings.open_workbench()

    def show_bug(self, error: BaseException) -> None:
        """Shows an unexpected error as a bug."""
        self.message.show_error(error)

    def say_whose(self, answer: str) -> None:
        """Answers whose dictation it is: of the recording on the live page, or else of the sheet."""
        bar = self.spoken if self._pages.currentWidget() is self.live else self.page.identity
        bar.press(answer)

    def close_message(self) -> None:
        """Closes the message shown; without one, says how to stop the running job, which Esc does not stop."""
        if self.message.text:
            self.message.close_message()
        elif not self.strip.isHidden():
            keys = self.actions_["cancel"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self.message.show_message("info", "Esc does not stop processing.", f"Press {keys} to stop it.")

    def _take(self, event: JobEvent) -> None:
        self.jobs.take(event)
        if isinstance(event, JobFinished | Overheard):
            self._update()
        self.message.check()

    def _update(self) -> None:
        """Enables what can be used now, and removes messages that no longer hold."""
        ready, shown = self.workbench.ready, self._pages.currentWidget()
        heard = self.live.recording is not None and self.live.recording is self.recorder.recording
        self.recorder.bar.words.setVisible(heard and shown is not self.live)
        for widget in (
            self.side.open,
            self.banner.choose,
            self.banner.flowsheet,
            self.banner.signer,
            *self.start.need_store,
        ):
            widget.setEnabled(ready)
        self._recording.update()
        self.actions_.update(read_view_state(self._context, self._pages, self.live, self.spoken, self.strip))
        self.banner.chart.setEnabled(self.actions_["chart"].isEnabled())
        self.message.check()

    def _open_all(self, paths: list[Path]) -> None:
        """Opens files that were dropped."""
        lists = [path for path in paths if is_list(path)]
        for path in lists:
            self.ward_list.show_file(path)
        self.intake.open_files([path for path in paths if path not in lists])

    # closing

    def _restart(self) -> None:
        """Closes the window; it is opened again, see `ui.__main__`."""
        if self.page.unsaved:
            self.message.show_message("warning", "A value has an unsaved change.", "Save or discard it, then restart.")
            return
        self.restarting = True
        self.restarting = self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks for confirmation while a job or recording runs. Decisions are stored; unfinished work can be resumed."""
        recording = self.recorder.recording
        busy = (self.workbench.jobs or recording) and not self._closing
        recorded = identity_text(recording.patient) if recording else ""
        if busy and not ask_to_close(self, recorded=recorded, work=self.strip.text):
            event.ignore()
            return
        self._closing = True
        self.jobs.close()
        self.recorder.stop()
        self.spoken_value.listener.stop()
        self.page.evidence.player.stop()
        event.accept()
