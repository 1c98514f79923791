"""The settings dialog: signer, appearance, schema, lights, models and their resources, recording, filing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.services.engine.engine import ModelState
from app.system.settings import Settings, is_shift_starts
from models.base.errors import InputError, WardlightError
from ui.dialogs.file_choice import MODEL_FILES, TEMPLATE, TEMPLATES, choose_file, choose_folder
from ui.kit.responsive_layout import Scrolled, room_on_screen
from ui.kit.theme import THEMES, Theme
from ui.kit.widgets import button, clearable, label
from ui.kit.words import ROLE_WORDS
from ui.recording.microphone import Microphones
from ui.settings.filing_page import FilingSettings
from ui.settings.form import Form, choices
from ui.settings.lights_page import LightSettings
from ui.settings.recording_page import RecordSettings

_WIDE = 740  # pixels that title and heads of the pages need beside each other
AROUND = 190  # pixels for title, error and buttons around the pages
SCALES = (100, 125, 150, 175, 200)
DEVICES = {"auto": "Automatic", "cpu": "Processor", "cuda": "Graphics card (GPU)"}
STATUS = {"installed": "installed", "missing": "not installed", "partial": "incomplete", "damaged": "damaged"}
_ABOUT_ROLES = {
    "speech": "Transcribes speech. A larger model is usually more accurate, but slower.",
    "filler": "Reads the transcript and proposes values. A larger model usually makes fewer errors, but is slower.",
    "embedder": "Matches each sentence to flowsheet rows.",
}

_CONFIRM_AFTER = (0, 5, 15, 30, 60)


class SettingsDialog(QDialog):
    """Signals: `save_asked` (Settings), answered with `show_error` if refused; `install_asked` (model id, folder)."""

    save_asked = Signal(object)
    install_asked = Signal(str, object)

    def __init__(
        self,
        theme: Theme,
        settings: Settings,
        models: Sequence[ModelState],
        microphones: Microphones,
        *,
        recording: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._theme, self._settings = theme, settings
        self.lights = LightSettings(theme, settings)
        self.record = RecordSettings(theme, settings, microphones, busy=recording)
        self.filing = FilingSettings(theme, settings)
        self.general, self.lighting = QPushButton("&General"), QPushButton("F&lags")
        self.machine, self.recording = QPushButton("M&odels"), QPushButton("Re&cording")
        self.files = QPushButton("F&iling")
        self._pages = QStackedWidget()
        self._contents: list[QWidget] = []
        heads = QHBoxLayout()
        heads.setSpacing(6)
        self._title = label("Settings", "display")
        heads.addWidget(self._title, 1)
        self._heads = QButtonGroup(self)
        for head, page in (
            (self.general, self._general()),
            (self.lighting, self.lights),
            (self.machine, self._machine(models)),
            (self.recording, self.record),
            (self.files, self.filing),
        ):
            head.setProperty("kind", "choice")
            head.setCheckable(True)
            head.setAutoDefault(False)
            head.setMinimumWidth(head.sizeHint().width() + 16)  # room for bold, which marks the page shown
            head.setToolTip(f"Show this page (Alt+{head.text()[head.text().index('&') + 1].upper()})")
            head.setAccessibleDescription(head.toolTip())
            page.installEventFilter(self)
            self._contents.append(page)
            self._heads.addButton(head, self._pages.addWidget(Scrolled(page)))
            heads.addWidget(head)
        self.general.setChecked(True)
        self._heads.idClicked.connect(self._pages.setCurrentIndex)
        self._error = label(role="error", wrap=True)
        self._error.hide()
        self.defaults = button(
            "&Defaults",
            theme.icon("undo"),
            tip="Reset this page to the defaults; nothing changes until you save",
            clicked=self._show_defaults,
        )
        self.save = button("&Save", kind="primary", tip="Save and apply these settings", clicked=self._save)
        self.save.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.defaults)
        buttons.addStretch(1)
        buttons.addWidget(button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject))
        buttons.addWidget(self.save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        layout.addLayout(heads)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._error)
        layout.addLayout(buttons)
        self._show(settings)
        self._fit()

    def _general(self) -> QWidget:
        form = Form()
        minutes = sorted({*_CONFIRM_AFTER, self._settings.confirm_signer_minutes})
        self.confirm_signer = choices({count: f"after {count} minutes" if count else "never" for count in minutes})
        form.add(
            "Ask again &who signs",
            self.confirm_signer,
            "On a shared computer: after this time without signing, the next decision asks once. "
            "Ctrl+G switches at any time.",
        )
        self.theme = choices(THEMES)
        form.add("&Appearance", self.theme, "High contrast: white and bright colours on black, with outlines.")
        self.scale = choices({scale: f"{scale}%" for scale in sorted({*SCALES, self._settings.scale})})
        form.add("Si&ze", self.scale, "Text and button size. Takes effect after restart.")
        self.schema = QLineEdit()
        self.schema.setPlaceholderText("Demonstration ward (medical-surgical and ICU)")
        clearable(self.schema)
        browse = button(
            "C&hoose…", self._theme.icon("folder"), tip="Choose a template file", clicked=self._choose_schema
        )
        about = "Hospital file with the rows that can be filled. Existing dictations keep their template."
        form.add("&Flowsheet template", self.schema, about, beside=browse)
        self.shifts = QLineEdit()
        form.add("Shif&ts begin at", self.shifts, "Times of day with commas; the chart adds up fluids for each shift.")
        self.collect = QCheckBox("L&earn from reviewed dictations")
        form.add("", self.collect, "Known names are removed; nothing leaves this computer.")
        form.end()
        return form

    def _machine(self, models: Sequence[ModelState]) -> QWidget:
        form = Form()
        self.models: dict[str, QComboBox] = {}
        for role, words in ROLE_WORDS.items():
            box = self.models[role] = QComboBox()
            for model in models:
                if model.role == role:
                    box.addItem(f"{model.title} ({STATUS[model.status]})", model)
            install = button(
                "From folder…", self._theme.icon("folder"), tip="Install this model from a folder or USB drive"
            )
            install.setAccessibleName(f"From folder: {words}")
            install.clicked.connect(lambda _=False, box=box: self._install(box.currentData()))
            box.currentIndexChanged.connect(lambda _=0, box=box, install=install: install.setEnabled(_installable(box)))
            install.setEnabled(_installable(box))
            form.add(words, box, _ABOUT_ROLES[role], beside=install)
        self.device = choices(DEVICES)
        form.add("R&un on", self.device, "A graphics card is faster. Where it cannot be used, the processor is.")
        cores = os.cpu_count() or 1
        counts = range(1, max(cores, self._settings.threads or 1) + 1)
        self.threads = choices({"": f"all ({cores})"} | {str(count): str(count) for count in counts})
        form.add(
            "&Processor threads",
            self.threads,
            "Threads the models may use; fewer leave more for other programs.",
        )
        form.end()
        return form

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Makes the dialog as large as its largest page, within the screen; larger pages scroll."""
        pages = self._contents
        room = room_on_screen(self)
        width = min(max(700, *(page.minimumSizeHint().width() for page in pages)), room.width() - 50)
        heights = (
            page.heightForWidth(width) if page.hasHeightForWidth() else page.sizeHint().height() for page in pages
        )
        height = min(max(heights), room.height() - AROUND)
        self._title.setVisible(room.width() > _WIDE)
        layout = self.layout()
        if layout and (width, height) != (self._pages.minimumWidth(), self._pages.minimumHeight()):
            self._pages.setMinimumSize(width, height)
            layout.activate()
            self.resize(0, 0)

    def show_error(self, error: WardlightError) -> None:
        """Says why the settings were refused; nothing was changed."""
        self._error.setText(str(error))
        self._error.show()
        self.save.setEnabled(True)

    def _show(self, settings: Settings, page: int | None = None) -> None:
        """Shows settings in the fields of a page, or of all pages for None."""
        if page in (None, 0):
            self.schema.setText(settings.schema)
            self.shifts.setText(settings.shift_starts)
            self.collect.setChecked(settings.collect_examples)
            for box, value in (
                (self.theme, settings.theme),
                (self.scale, settings.scale),
                (self.confirm_signer, settings.confirm_signer_minutes),
            ):
                box.setCurrentIndex(box.findData(value))
        if page in (None, 1):
            self.lights.show_settings(settings)
        if page in (None, 2):
            for role, models in self.models.items():
                wanted = getattr(settings, f"{role}_model")
                for place in range(models.count()):
                    model = models.itemData(place)
                    if model.id == wanted or (not wanted and model.default):
                        models.setCurrentIndex(place)
            self.device.setCurrentIndex(self.device.findData(settings.device))
            self.threads.setCurrentIndex(self.threads.findData(str(settings.threads or "")))
        if page in (None, 3):
            self.record.show_settings(settings)
        if page in (None, 4):
            self.filing.show_settings(settings)

    def _show_defaults(self) -> None:
        self._show(Settings(), self._pages.currentIndex())

    def _install(self, model: ModelState) -> None:
        if folder := choose_folder(self, MODEL_FILES):
            self.install_asked.emit(model.id, folder)
            self.reject()

    def _choose_schema(self) -> None:
        if path := choose_file(self, TEMPLATE, TEMPLATES, self.schema.text()):
            self.schema.setText(str(path))

    def _save(self) -> None:
        self._error.hide()
        if fault := self.filing.fault():
            self.show_error(fault)
            return
        if not is_shift_starts(shifts := self.shifts.text().strip()):
            what = f"Shifts cannot begin at “{shifts}”." if shifts else "No shift times were given."
            self.show_error(InputError(what, "Write times of day with commas, such as 07:00, 19:00."))
            return
        chosen = {
            f"{role}_model": "" if model.default else model.id
            for role, box in self.models.items()
            if isinstance(model := box.currentData(), ModelState)
        }
        settings = replace(
            replace(self._settings, **chosen),  # type: ignore[arg-type]  # they are the fields of models
            confirm_signer_minutes=self.confirm_signer.currentData(),
            theme=self.theme.currentData(),
            scale=self.scale.currentData(),
            schema=self.schema.text().strip(),
            shift_starts=shifts,
            collect_examples=self.collect.isChecked(),
            device=self.device.currentData(),
            threads=int(self.threads.currentData() or 0) or None,
            **self.lights.changed(),  # type: ignore[arg-type]  # they are numbers
            **self.record.changed(),
            **self.filing.changed(),
        )
        self.save.setEnabled(False)
        self.filing.keep_secrets()
        self.save_asked.emit(settings)


def _installable(box: QComboBox) -> bool:
    model = box.currentData()
    return isinstance(model, ModelState) and model.status != "installed"
