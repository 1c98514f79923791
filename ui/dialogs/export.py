"""Dialog to export or file accepted values; it shows which values are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from app.services.review.filing import FORMAT_LABELS
from models.base.errors import ResourceError, WardlightError
from ui.dialogs.file_choice import choose_folder
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, label, show_folder
from ui.kit.words import identity_text, plural


class ExportDialog(QDialog):
    """Signals: `export_asked` (folder, formats). The caller answers with `show_paths`, `show_error` or `accept`.

    Args:
        folder: initial folder, from the last export or the settings; None for the documents folder.
        formats: names of the formats that are chosen at first.
        filing: what becomes of the answer, if the dictation is to be filed; empty to export it.
    """

    export_asked = Signal(object, object)

    def __init__(
        self,
        theme: Theme,
        sheet: Sheet,
        folder: Path | None,
        formats: Sequence[str],
        parent: QWidget | None = None,
        *,
        filing: str = "",
    ) -> None:
        super().__init__(parent)
        title, does = ("File", "filed") if filing else ("Export", "exported")
        self.setWindowTitle(title)
        self.setMinimumWidth(560)
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        layout.addWidget(label("Sign and file" if filing else title, "display"))
        self.patient = label(identity_text(sheet.patient), "heading", wrap=True)
        layout.addWidget(self.patient)
        self.summary = [
            (f"{plural(sheet.exportable, 'value')} that you accepted, edited or added will be {does}", "confirmed")
        ]
        open_values = sheet.count(ReviewStatus.PROPOSED)
        rejected = sheet.count(ReviewStatus.REJECTED)
        if open_values:
            left = "is not reviewed and is left out" if open_values == 1 else "are not reviewed and are left out"
            self.summary.append((f"{plural(open_values, 'value')} {left}", "proposed"))
        if rejected:
            self.summary.append((f"{rejected} rejected, not {does}", "rejected"))
        for words, colour in self.summary:
            line = QHBoxLayout()
            line.addWidget(IconLabel(theme.icon(colour, colour), 20))
            line.addWidget(label(words, wrap=True), 1)
            layout.addLayout(line)
        self.folder = QLineEdit(str(folder or documents))
        self.folder.setAccessibleName("Folder for the files")
        choose = button("C&hoose…", theme.icon("folder"), tip="Choose the folder for the files", clicked=self._choose)
        where = QHBoxLayout()
        where.addWidget(QLabel("Folder"))
        where.addWidget(self.folder, 1)
        where.addWidget(choose)
        layout.addLayout(where)
        self.formats = {name: QCheckBox(label) for name, label in FORMAT_LABELS.items()}
        for name, box in self.formats.items():
            box.setChecked(name in formats)
            box.toggled.connect(self._update)
            layout.addWidget(box)
        if filing:
            layout.addWidget(label(filing, "small", wrap=True))
        self._error = label(role="error", wrap=True)
        self._error.hide()
        layout.addWidget(self._error)
        self.written = label()
        self.written.setTextInteractionFlags(self.written.textInteractionFlags().TextSelectableByMouse)
        self.written.hide()
        layout.addWidget(self.written)
        layout.addStretch(1)
        self.open_folder = button("Open &folder", theme.icon("folder"), tip="Show the files", clicked=self._open)
        self.open_folder.hide()
        self.close_button = button("Close", tip="Close (Esc)", clicked=self.reject)
        self.export = button(
            f"&{title}",
            theme.icon("filed" if filing else "export", "on_accent"),
            kind="primary",
            tip="Write the files (Enter)",
            clicked=self._export,
        )
        self.export.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_folder)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.export)
        layout.addLayout(buttons)
        self._exportable = sheet.exportable > 0 or bool(filing)
        self._update()

    def show_paths(self, paths: Sequence[Path]) -> None:
        """Shows the files that were written."""
        self.folder.setText(str(paths[0].parent))
        self.folder.setReadOnly(True)
        self.written.setText("Saved in this folder:\n" + "\n".join(path.name for path in paths))
        self.written.setToolTip("\n".join(str(path) for path in paths))
        self.written.show()
        self.open_folder.show()
        self.export.hide()
        self.adjustSize()
        self.close_button.setFocus()

    def show_error(self, error: WardlightError) -> None:
        self._error.setText(str(error))
        self._error.show()
        self._update()

    def _update(self) -> None:
        chosen = any(box.isChecked() for box in self.formats.values())
        self.export.setEnabled(chosen and self._exportable)

    def _choose(self) -> None:
        if folder := choose_folder(self, "Folder for the files", self.folder.text()):
            self.folder.setText(str(folder))

    def _export(self) -> None:
        self._error.hide()
        self.export.setEnabled(False)
        names = [name for name, box in self.formats.items() if box.isChecked()]
        self.export_asked.emit(Path(self.folder.text()).expanduser(), names)

    def _open(self) -> None:
        try:
            show_folder(self.folder.text())
        except ResourceError as error:
            self.show_error(error)
