"""The settings page for filing: folder, formats and what they need, the last look, and the record system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from app.services.review.filing import FORMAT_LABELS
from app.system.settings import Settings
from models.base.errors import InputError, WardlightError
from ui.dialogs.file_choice import choose_file, choose_folder
from ui.kit.theme import Theme
from ui.kit.widgets import button, clearable
from ui.settings.form import Form, choices
from ui.settings.record_system_fields import RecordSystemFields

PAPERS = {"auto": "Automatic", "a4": "A4", "letter": "US Letter"}
_COLUMN_FILES = "Columns (*.toml *.json);;All files (*)"
_ABOUT_FORMATS = "Written when you file. An export begins with the same choice."


class FilingSettings(QWidget):
    """Fields that show `settings`; `changed` returns what is chosen, unless there is a `fault`."""

    def __init__(self, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        form = Form()
        self.folder = QLineEdit()
        self.folder.setPlaceholderText("Chosen at the first filing")
        clearable(self.folder)
        browse = button("C&hoose…", theme.icon("folder"), tip="Choose the filing folder", clicked=self._choose_folder)
        about = "Reviewed dictations are filed here. If empty, you are asked at the next filing."
        form.add("Fili&ng folder", self.folder, about, beside=browse)
        self.formats = {name: QCheckBox(words) for name, words in FORMAT_LABELS.items()}
        boxes = QWidget()
        column = QVBoxLayout(boxes)
        column.setContentsMargins(0, 0, 0, 0)
        for box in self.formats.values():
            box.setAccessibleDescription(_ABOUT_FORMATS)
            column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        form.add("Files", boxes, _ABOUT_FORMATS, tall=True)
        self.paper = choices(PAPERS)
        form.add("&Paper", self.paper, "Of the PDF sheet. Automatic follows the region of this computer.")
        self.columns = QLineEdit()
        self.columns.setPlaceholderText("Usual columns")
        clearable(self.columns)
        browse = button("Choose…", theme.icon("folder"), tip="Choose a columns file", clicked=self._choose_columns)
        about = "Hospital file that names the columns of the hospital's own CSV."
        form.add("Hospital col&umns", self.columns, about, beside=browse)
        self.last_look = QCheckBox("Show a last loo&k before filing")
        form.add(
            "",
            self.last_look,
            "What is charted, for whom and signed by whom; F files. Always shown if values contradict.",
        )
        self.record_system = RecordSystemFields(theme, settings)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(form)
        layout.addWidget(self.record_system)
        layout.addStretch(1)
        self.show_settings(settings)

    def show_settings(self, settings: Settings) -> None:
        """Shows settings in the fields."""
        self.folder.setText(settings.file_folder)
        for name, box in self.formats.items():
            box.setChecked(name in settings.file_formats)
        self.paper.setCurrentIndex(self.paper.findData(settings.paper))
        self.columns.setText(settings.hospital_columns)
        self.last_look.setChecked(settings.last_look)
        self.record_system.show_settings(settings)

    def changed(self) -> dict[str, Any]:
        """The chosen values by name of the setting."""
        return {
            "file_folder": self.folder.text().strip(),
            "file_format": " and ".join(self._chosen()),
            "paper": self.paper.currentData(),
            "hospital_columns": self.columns.text().strip(),
            "last_look": self.last_look.isChecked(),
            **self.record_system.changed(),
        }

    def fault(self) -> WardlightError | None:
        """What cannot be saved; None if all can."""
        for called, field in (("filing folder", self.folder), ("columns file", self.columns)):
            path = field.text().strip()
            if path and not Path(path).expanduser().is_absolute():
                what = f"The {called} {path} is not a full path."
                return InputError(what, f"Choose the {called}, or leave the field empty.")
        if not self._chosen():
            return InputError("No kind of file is chosen.", "Choose at least one.")
        return self.record_system.fault()

    def keep_secrets(self) -> None:
        """Stores the passwords and tokens that were entered; the settings do not hold them."""
        self.record_system.keep_secrets()

    def _chosen(self) -> list[str]:
        return [name for name, box in self.formats.items() if box.isChecked()]

    def _choose_folder(self) -> None:
        if folder := choose_folder(self, "Filing folder", self.folder.text()):
            self.folder.setText(str(folder))

    def _choose_columns(self) -> None:
        if path := choose_file(self, "Hospital columns", _COLUMN_FILES, self.columns.text()):
            self.columns.setText(str(path))
