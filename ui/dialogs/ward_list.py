"""Dialog that previews what importing a ward list would change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QRadioButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.chart.records import Patient
from app.services.patients.jobs import WardPlan
from extraction.language.birth_dates import birth_dates
from models.base.errors import WardlightError
from ui.kit.theme import Theme
from ui.kit.widgets import button, label
from ui.kit.words import date_text, entered_text, identity_text, plural

MARGIN, BOX = 4, 22  # pixels around an item's text, and for its check box
PATIENT_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
Compare = Callable[[bool | None, frozenset[int]], object]


class WardListDialog(QDialog):
    """After acceptance, `plan` is the plan to carry out.

    Args:
        compare: requests a new plan, given whether the day comes first in ambiguous dates (None if not chosen) and the
            ids of the patients to discharge; the caller answers with `show_plan` or `show_error`.
    """

    def __init__(self, theme: Theme, path: Path, compare: Compare, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import the ward list")
        self.setMinimumSize(900, 560)
        self.plan: WardPlan | None = None
        self._theme, self._compare = theme, compare
        self._day_first: bool | None = None
        self.orders: list[QRadioButton] = []
        self.missing: QTreeWidgetItem | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Import the ward list", "display"))
        layout.addWidget(label(path.name, "muted", wrap=True))
        self._order = QWidget()
        layout.addWidget(self._order)
        self.summary = label("Comparing the list with your patients…", "heading", wrap=True)
        layout.addWidget(self.summary)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Changes")
        self.tree.setHeaderLabels(["Patient", "Change"])
        self.tree.setItemDelegate(_Wrapping(self.tree))
        self.tree.setWordWrap(True)  # identities and reasons must be readable in full
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for column in range(self.tree.columnCount()):
            self.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.tree.header().sectionResized.connect(self.tree.doItemsLayout)  # text wraps differently at another width
        self.tree.itemChanged.connect(self._choose)
        layout.addWidget(self.tree, 1)
        safe = "Nothing changes until you import; then all changes are made together. Charts are not affected."
        layout.addWidget(label(safe, "small", wrap=True))
        self.error = label(role="error", wrap=True)
        self.error.hide()
        layout.addWidget(self.error)
        self.cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        self.save = button("&Import", kind="primary", tip="Make these changes", clicked=self.accept)
        self.save.setEnabled(False)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        layout.addLayout(buttons)
        self.tree.setFocus()

    def show_plan(self, plan: WardPlan) -> None:
        """Shows what importing would change."""
        chosen = self.tree.currentItem()
        kept = chosen.data(0, PATIENT_ROLE) if chosen else None
        self.plan = plan
        self.error.hide()
        self._ask_order(plan)
        left_out = sorted((*plan.conflicts, *plan.refused), key=lambda one: one.line)
        counts = (
            f"{len(plan.new)} new",
            f"{len(plan.changed)} changed",
            f"{len(plan.unchanged)} unchanged",
            f"{plural(len(left_out), 'line')} left out",
            f"{len(plan.missing)} not on the list",
        )
        self.summary.setText("  ·  ".join(counts))
        self.tree.blockSignals(True)
        self.tree.clear()
        self._group("New", "add", ((entered_text(one.identity), f"added, line {one.line}") for one in plan.new))
        self._group("Changed", "edit", ((identity_text(one.before), "; ".join(one.words)) for one in plan.changed))
        self._group("Left out", "warning", ((f"Line {one.line}: {one.text}", one.reason) for one in left_out))
        self._missing(plan)
        same = self._group("Unchanged", "", ((identity_text(one), "") for one in plan.unchanged))
        if same:
            same.setExpanded(False)
        self._go_back_to(kept)
        self.tree.blockSignals(False)
        changes = len(plan.changes)
        self.save.setText(f"&Import {plural(changes, 'change')}" if changes else "&Import")
        self.save.setToolTip("Make these changes" if changes else "There are no changes to import")
        self.save.setEnabled(bool(changes))

    def show_error(self, error: WardlightError) -> None:
        """Shows why the list cannot be imported."""
        self.plan = None
        self.summary.setText("This list cannot be imported.")
        self.error.setText(str(error))
        self.error.show()
        self.tree.clear()
        self.missing = None
        self.save.setEnabled(False)

    def _group(self, name: str, icon: str, lines: Iterable[tuple[str, str]]) -> QTreeWidgetItem | None:
        """Adds a heading with its lines and returns it; None if there are no lines."""
        items = [QTreeWidgetItem([who, what]) for who, what in lines]
        if not items:
            return None
        group = QTreeWidgetItem([f"{name} ({len(items)})"])
        if icon:
            group.setIcon(0, self._theme.icon(icon, "muted"))
        for item in items:
            item.setToolTip(0, item.text(0))
            item.setToolTip(1, item.text(1))
        group.addChildren(items)
        self.tree.addTopLevelItem(group)
        group.setFirstColumnSpanned(True)
        group.setExpanded(True)
        return group

    def _missing(self, plan: WardPlan) -> None:
        self.missing = group = self._group(
            "Not on the list: choose who to discharge",
            "patient",
            ((identity_text(one), _missing_words(plan, one)) for one in plan.missing),
        )
        if group is None:
            return
        free = [one for one in plan.missing if one.id not in plan.waiting]
        if free:
            group.setFlags(group.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
        for item, patient in zip(_lines(group), plan.missing, strict=True):
            item.setData(0, PATIENT_ROLE, patient.id)
            if patient in free:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                leaves = patient.id in plan.discharging
                item.setCheckState(0, Qt.CheckState.Checked if leaves else Qt.CheckState.Unchecked)

    def _choose(self) -> None:
        """Requests a plan with the chosen discharges, which free beds."""
        chosen = {number for item, number in self._patients() if item.checkState(0) is Qt.CheckState.Checked}
        self._ask(frozenset(chosen))

    def _ask(self, discharging: frozenset[int]) -> None:
        self.save.setEnabled(False)  # until the new plan is there
        self._compare(self._day_first, discharging)

    def _go_back_to(self, patient_id: int | None) -> None:
        """Selects the patient who was selected before the tree was rebuilt, or else the first line."""
        for item, number in self._patients():
            if number == patient_id:
                self.tree.setCurrentItem(item)
                return
        if self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))  # type: ignore[arg-type]

    def _patients(self) -> list[tuple[QTreeWidgetItem, int]]:
        """Lines of the patients who are not on the list, with the patients' ids."""
        if not self.missing:
            return []
        return [(line, line.data(0, PATIENT_ROLE)) for line in _lines(self.missing)]

    def _ask_order(self, plan: WardPlan) -> None:
        """Offers the two readings of an ambiguous date, once the plan has one."""
        if self.orders or not plan.example:
            return
        layout = QHBoxLayout(self._order)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label(f"In this list, {plan.example} is:"))
        for place, day in enumerate(birth_dates(plan.example)):
            choice = QRadioButton(f"&{place + 1}  {date_text(day)}, {'month' if place else 'day'} first")
            choice.toggled.connect(lambda on, day_first=not place: self._use_order(day_first) if on else None)
            self.orders.append(choice)
            layout.addWidget(choice)
        layout.addStretch(1)

    def _use_order(self, day_first: bool) -> None:
        self._day_first = day_first
        self._ask(self.plan.discharging if self.plan else frozenset())


class _Wrapping(QStyledItemDelegate):
    """Makes lines as high as their wrapped text; with a style sheet, Qt does not."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        taken = 2 * MARGIN
        if index.column() == 0:
            box = Qt.ItemDataRole.CheckStateRole
            taken += self._tree.indentation() * 2 + (BOX if index.data(box) is not None else 0)
        width = self._tree.columnWidth(index.column()) - taken
        metrics = QFontMetrics(self._tree.font())
        words = metrics.boundingRect(QRect(0, 0, width, 10_000), Qt.TextFlag.TextWordWrap, index.data())
        return QSize(hint.width(), max(hint.height(), words.height() + MARGIN))


def _lines(group: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    return [line for place in range(group.childCount()) if (line := group.child(place))]


def _missing_words(plan: WardPlan, patient: Patient) -> str:
    if waiting := plan.waiting.get(patient.id):
        return f"stays, not filed: {', '.join(waiting)}"
    return "discharged" if patient.id in plan.discharging else "stays"
