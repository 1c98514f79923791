"""What can be chosen: the person, the look, the schema, what is lit, the models and what of the machine they take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.engine import ModelState
from app.settings import Settings
from models.errors import WardlightError
from ui.light_settings import LightSettings
from ui.microphone import Microphones
from ui.parts import button, label, rule
from ui.record_settings import RecordSettings
from ui.theme import Theme
from ui.words import ROLE_WORDS

AROUND = 182  # title, buttons and the frame of the dialog
THEMES = {"system": "As the computer", "light": "Light", "dark": "Dark"}
DEVICES = {"auto": "GPU where there is one", "cpu": "Processor only", "cuda": "GPU only"}
STATUS = {"installed": "installed", "missing": "not installed", "partial": "not complete", "damaged": "damaged"}


class SettingsDialog(QDialog):
    """Signals: `save_asked` (Settings), refused with `show_error`; `install_asked` (model id, folder)."""

    save_asked = Signal(object)
    install_asked = Signal(str, object)

    def __init__(
        self,
        theme: Theme,
        settings: Settings,
        models: Sequence[ModelState],
        user: str,
        microphones: Microphones,
        *,
        recording: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.setMinimumWidth(700)
        self._theme, self._settings = theme, settings
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnStretch(1, 1)
        self._content = QWidget()
        self._content.installEventFilter(self)
        self._content.setLayout(self._grid)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.record = RecordSettings(theme, settings, microphones, busy=recording)
        self.finished.connect(self.record.stop)
        self._pages = QStackedWidget()
        heads = QHBoxLayout()
        heads.setSpacing(6)
        heads.addWidget(label("Settings", "display"), 1)
        self.general, self.recording = QPushButton("&General"), QPushButton("Re&cording")
        group = QButtonGroup(self)
        for head, page in ((self.general, self._scroll), (self.recording, self.record)):
            head.setProperty("kind", "choice")
            head.setCheckable(True)
            head.setAutoDefault(False)
            head.setMinimumWidth(head.sizeHint().width() + 16)  # the one that is shown is bold
            head.setToolTip(f"Show this page ({head.text()[head.text().index('&') + 1].upper()} with Alt)")
            head.setAccessibleDescription(head.toolTip())
            group.addButton(head, self._pages.addWidget(page))
            heads.addWidget(head)
        self.general.setChecked(True)
        group.idClicked.connect(self._pages.setCurrentIndex)
        layout.addLayout(heads)
        layout.addWidget(self._pages, 1)

        self.reviewer = QLineEdit(settings.reviewer)
        self.reviewer.setPlaceholderText(user)
        self._add("&Your name", self.reviewer, "stands beside every value that you decide about")
        self.theme = _box(THEMES, settings.theme)
        self._add("&Appearance", self.theme)
        self.schema = QLineEdit(settings.schema)
        self.schema.setPlaceholderText("Demonstration ward (medical-surgical and ICU)")
        self.schema.setClearButtonEnabled(True)
        browse = button("C&hoose…", theme.icon("folder"), tip="Choose a schema file", clicked=self._choose_schema)
        self._add("&Flowsheet schema", self.schema, beside=browse)
        self.collect = QCheckBox("&Let reviewed dictations become examples to learn from.")
        self.collect.setChecked(settings.collect_examples)
        promise = "Names that are known are taken out; nothing leaves this computer."
        self.collect.setAccessibleDescription(promise)
        row = self._grid.rowCount()
        self._grid.addWidget(self.collect, row, 1, 1, 2)
        self._grid.addWidget(label(promise, "small"), row + 1, 1, 1, 2)
        self._wide(rule())
        self.lights = LightSettings(theme, settings)
        name = QLabel("Lit &values")
        name.setBuddy(self.lights.slider)
        row = self._grid.rowCount()
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self.lights, row, 1, 1, 2)
        self._wide(rule())
        self.models: dict[str, QComboBox] = {}
        for role, words in ROLE_WORDS.items():
            self._add_model(role, words, [model for model in models if model.role == role])
        self.device = _box(DEVICES, settings.device)
        self._add("Run &on", self.device)
        cores = os.cpu_count() or 1
        counts = {str(count): str(count) for count in range(1, max(cores, settings.threads or 1) + 1)}
        self.threads = _box({"": f"all ({cores})"} | counts, str(settings.threads or ""))
        self._add("&Processor threads", self.threads)

        self._error = label(role="error", wrap=True)
        self._error.hide()
        layout.addWidget(self._error)
        self.save = button("&Save", kind="primary", tip="Put these settings into force", clicked=self._save)
        self.save.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(button("Cancel", tip="Leave everything as it was (Esc)", clicked=self.reject))
        buttons.addWidget(self.save)
        layout.addLayout(buttons)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Makes the dialog as high as what it shows, as long as the screen is; the rest is scrolled to."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        self._pages.setMinimumWidth(self._content.minimumSizeHint().width() + bar)
        room = self.screen().availableGeometry().height() - AROUND
        height = self._content.heightForWidth(self._scroll.viewport().width())  # some words are wrapped
        needed = min(height, room)
        layout = self.layout()
        if layout and needed != self._pages.minimumHeight():
            self._pages.setMinimumHeight(needed)
            layout.activate()
            self.resize(self.width(), 0)

    def show_error(self, error: WardlightError) -> None:
        """Says why the settings cannot be used; nothing was changed."""
        self._error.setText(str(error))
        self._error.show()
        self.save.setEnabled(True)

    def _add(self, words: str, field: QWidget, note: str = "", *, beside: QWidget | None = None) -> None:
        row = self._grid.rowCount()
        name = QLabel(words)
        name.setBuddy(field)
        field.setAccessibleName(words.replace("&", ""))
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(field, row, 1)
        if beside:
            self._grid.addWidget(beside, row, 2)
        if note:
            field.setToolTip(f"Your name {note}")

    def _wide(self, widget: QWidget) -> None:
        self._grid.addWidget(widget, self._grid.rowCount(), 0, 1, 3)

    def _add_model(self, role: str, words: str, models: Sequence[ModelState]) -> None:
        wanted = getattr(self._settings, f"{role}_model")
        box = QComboBox()
        for model in models:
            box.addItem(f"{model.title} ({STATUS[model.status]})", model)
            if model.id == wanted or (not wanted and model.default):
                box.setCurrentIndex(box.count() - 1)
        install = button(
            "From folder…", self._theme.icon("folder"), tip="Install this model from a folder or USB stick"
        )
        install.clicked.connect(lambda: self._install(box.currentData()))
        box.currentIndexChanged.connect(lambda: install.setEnabled(_installable(box)))
        install.setEnabled(_installable(box))
        self.models[role] = box
        self._add(words, box, beside=install)

    def _install(self, model: ModelState) -> None:
        folder = QFileDialog.getExistingDirectory(self, f"Folder that holds {model.title}")
        if folder:
            self.install_asked.emit(model.id, Path(folder))
            self.reject()

    def _choose_schema(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, "Flowsheet schema", self.schema.text(), "Schemas (*.json);;All files (*)"
        )
        if path:
            self.schema.setText(path)

    def _save(self) -> None:
        self._error.hide()
        chosen = {
            f"{role}_model": "" if model.default else model.id
            for role, box in self.models.items()
            if isinstance(model := box.currentData(), ModelState)
        }
        settings = replace(
            replace(self._settings, **chosen),  # type: ignore[arg-type]  # they are the fields of models
            reviewer=self.reviewer.text().strip(),
            theme=self.theme.currentData(),
            schema=self.schema.text().strip(),
            collect_examples=self.collect.isChecked(),
            device=self.device.currentData(),
            threads=int(self.threads.currentData() or 0) or None,
            **self.lights.changed(),  # type: ignore[arg-type]  # they are numbers
            **self.record.changed(),
        )
        self.save.setEnabled(False)
        self.save_asked.emit(settings)


def _box(choices: dict[str, str], chosen: str) -> QComboBox:
    box = QComboBox()
    for value, words in choices.items():
        box.addItem(words, value)
    box.setCurrentIndex(box.findData(chosen))
    return box


def _installable(box: QComboBox) -> bool:
    model = box.currentData()
    return isinstance(model, ModelState) and model.status != "installed"
