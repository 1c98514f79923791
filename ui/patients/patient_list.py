"""List of the ward's patients with the states of their dictations: type to search, Enter to open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.records import Patient
from ui.kit.context_menu import asks_for_menu
from ui.kit.dictation_states import ListedPatient
from ui.kit.theme import Theme
from ui.kit.widgets import label, show_as_search
from ui.patients.patient_delegate import LISTED_ROLE, PatientDelegate


class PatientList(QWidget):
    """Searchable list of patients; discharged ones are hidden until the user shows them.

    Signals:
        chosen: the user picked a patient (a Patient).
        menu_asked: the context menu of a patient was requested (a Patient and a QPoint on the screen).
        left: the user left the list with Escape.
    """

    chosen = Signal(object)
    menu_asked = Signal(object, object)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._current: Patient | None = None
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a patient or bed")
        self.search.setAccessibleName("Find a patient or bed")
        self.search.setToolTip("Type a name, bed or status such as “to check” (Ctrl+L, B)")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Patients")
        self.list.setItemDelegate(PatientDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.itemClicked.connect(self._pick)
        self.list.itemActivated.connect(self._pick)
        self.list.installEventFilter(self)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._ask_menu)
        self.discharged = QCheckBox("Show discharged")
        self.discharged.setToolTip("Patients who left the ward; their charts stay readable")
        self.discharged.toggled.connect(self._filter)
        self.discharged.hide()
        self.none = label("", "small", wrap=True)
        self.none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.none)
        layout.addWidget(self.discharged)
        theme.changed.connect(self.list.viewport().update)

    def show_patients(self, patients: Sequence[ListedPatient], current: Patient | None) -> None:
        """Lists patients with the states of their dictations; updates only what changed."""
        same = [one.patient.id for one in patients] == [self._patient(place).id for place in range(self.list.count())]
        if not same:
            self.list.clear()
            for _ in patients:
                self.list.addItem(QListWidgetItem())
        for place, listed in enumerate(patients):
            item = self.list.item(place)
            if item.data(LISTED_ROLE) == listed:
                continue
            item.setData(LISTED_ROLE, listed)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(listed.words))
            item.setToolTip("\n".join(listed.words))
        self._current = current
        self.discharged.setVisible(any(one.patient.discharged for one in patients))
        self._filter()
        self.mark()

    def mark(self) -> None:
        """Selects the patient whose values are shown, unless the list or its search has the focus."""
        for place in range(self.list.count()):
            if self._current and self._patient(place).id == self._current.id and not self.has_keyboard():
                self.list.setCurrentRow(-1 if self.list.item(place).isHidden() else place)

    def begin_search(self) -> None:
        """Moves the focus to the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def has_keyboard(self) -> bool:
        return self.search.hasFocus() or self.list.hasFocus()

    def texts(self) -> list[str]:
        """The visible patients, as a screen reader reads them out."""
        shown = [item for item in map(self.list.item, range(self.list.count())) if not item.isHidden()]
        return [item.data(Qt.ItemDataRole.AccessibleTextRole) for item in shown]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            key, empty = cast(QKeyEvent, event).key(), not self.search.text()
            if key == Qt.Key.Key_Escape:
                event.accept()  # it leaves the list and triggers no shortcut
                return True
            if key == Qt.Key.Key_Question and empty:
                event.ignore()  # not part of any name; it opens the key overlay, as everywhere else
                return True
        if event.type() == QEvent.Type.FocusOut:
            QTimer.singleShot(0, self, self.mark)  # once the new focus is known
        if event.type() == QEvent.Type.KeyPress and watched is self.list and asks_for_menu(cast(QKeyEvent, event)):
            if item := self.list.currentItem():
                self._ask_menu(self.list.visualItemRect(item).center())
            return True
        if event.type() == QEvent.Type.KeyPress and self._takes(watched, cast(QKeyEvent, event)):
            return True
        return super().eventFilter(watched, event)

    def _takes(self, watched: QObject, event: QKeyEvent) -> bool:
        match event.key():
            case Qt.Key.Key_Escape:
                self.search.clear()
                self.left.emit()
            case Qt.Key.Key_Down | Qt.Key.Key_Up if watched is self.search:
                self._step(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                item = self.list.currentItem()
                if item and not item.isHidden():
                    self._pick(item)
            case _:
                return False
        return True

    def _step(self, by: int) -> None:
        shown = [place for place in range(self.list.count()) if not self.list.item(place).isHidden()]
        if shown:
            here = self.list.currentRow()
            at = shown.index(here) + by if here in shown else 0
            self.list.setCurrentRow(shown[min(max(at, 0), len(shown) - 1)])

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        first, left = None, 0
        for place in range(self.list.count()):
            item = self.list.item(place)
            text = f"{item.data(Qt.ItemDataRole.AccessibleTextRole)} {self._patient(place).birth_date}".casefold()
            found, gone = all(word in text for word in words), self._patient(place).discharged
            item.setHidden(not found or (gone and not self.discharged.isChecked()))
            left += found and gone and item.isHidden()
            if first is None and not item.isHidden():
                first = item
        current = self.list.currentItem()
        if words and first and (current is None or current.isHidden()):
            self.list.setCurrentItem(first)
        self.none.setVisible(first is None)
        more = f" {left} discharged." if left else ""
        nobody = f"No patient matches “{' '.join(self.search.text().split())}”.{more}"
        self.none.setText(nobody if words else more.strip() or "Patients you add appear here.")

    def _patient(self, place: int) -> Patient:
        listed: ListedPatient = self.list.item(place).data(LISTED_ROLE)
        return listed.patient

    def _ask_menu(self, place: QPoint) -> None:
        if item := self.list.itemAt(place):
            self.list.setCurrentItem(item)
            self.menu_asked.emit(item.data(LISTED_ROLE).patient, self.list.viewport().mapToGlobal(place))

    def _pick(self, item: QListWidgetItem) -> None:
        self.search.clear()
        self.chosen.emit(item.data(LISTED_ROLE).patient)
