"""Dialog to choose who signs, and to add, rename or retire signers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.records import Signer
from app.services.context.signing import refuse_known
from models.base.errors import InputError
from ui.kit.keys import move_by_arrows
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, rule, show_as_search

_SHOWN_ROWS = 5


class SignerDialog(QDialog):
    """After acceptance, `chosen` is who signs: a known signer, or a new one (id 0).

    Args:
        known: all signers, the most recently chosen first.
        proposed: the last signer, who only has to confirm; None to propose nobody.

    Attributes:
        renamed: a known signer to rename, with the new name and role; the dialog is then rejected.
        retired: a known signer to retire; the dialog is then rejected.
    """

    def __init__(
        self, theme: Theme, known: Sequence[Signer], proposed: Signer | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Who signs?")
        self.setMinimumWidth(440)
        self.chosen: Signer | None = None
        self.renamed: tuple[Signer, str, str] | None = None
        self.retired: Signer | None = None
        self._known = list(known)
        self._editing: Signer | None = None
        self._people = [signer for signer in known if not signer.retired]
        if proposed:
            self._people.sort(key=lambda signer: signer.name != proposed.name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        title = f"Still {proposed.signature}?" if proposed else "Who signs?"
        about = (
            "Press Enter to sign as before, or choose someone else."
            if proposed
            else "This name is saved with every value you review."
        )
        layout.addWidget(label(title, "display", wrap=True))
        layout.addWidget(label(about, "muted", wrap=True))
        self.search = QLineEdit()
        self.search.setPlaceholderText("Type a few letters of the name")
        self.search.setAccessibleName("Search signers")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._fill)
        self.list = QListWidget()
        move_by_arrows(self.list, self.search)
        self.list.setAccessibleName("Signers, most recent first")
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._update)
        self.list.setFixedHeight(_SHOWN_ROWS * max(self.list.fontMetrics().height() + 12, 30))
        self.rename = button("&Rename…", tip="Change name or role; signed values keep the former name")
        self.rename.clicked.connect(self._begin_rename)
        self.retire = button("Re&tire", tip="Remove the selected signer from the list; signed values are kept")
        self.retire.clicked.connect(self._retire)
        self.choose = button("&Sign as selected", kind="primary", tip="Sign as the selected signer (Enter)")
        self.choose.clicked.connect(self._choose)
        chosen = QHBoxLayout()
        for control in (self.rename, self.retire):
            chosen.addWidget(control)
        chosen.addStretch(1)
        chosen.addWidget(self.choose)
        for widget in (self.search, self.list):
            layout.addWidget(widget)
            widget.setVisible(bool(self._people))
        layout.addLayout(chosen)
        self._line = rule()
        layout.addWidget(self._line)
        controls: tuple[QWidget, ...] = (self.rename, self.retire, self.choose, self._line)
        for shown in controls:
            shown.setVisible(bool(self._people))

        self._heading = label("New signer", "title")
        layout.addWidget(self._heading)
        self.name, self.role = QLineEdit(), QLineEdit()
        for field, words, hint in (
            (self.name, "&Name", "First and last name"),
            (self.role, "R&ole", "For example, RN; optional"),
        ):
            name = label(words)
            name.setBuddy(field)
            name.setMinimumWidth(56)
            field.setPlaceholderText(hint)
            field.setAccessibleName(words.replace("&", ""))
            field.textChanged.connect(self._update)
            field.returnPressed.connect(self._enter)
            line = QHBoxLayout()
            line.addWidget(name)
            line.addWidget(field, 1)
            layout.addLayout(line)
        self._error = label(role="error", wrap=True)
        self._error.hide()
        layout.addWidget(self._error)
        self.add = button("&Add and sign", theme.icon("add"), tip="Add this signer and sign (Enter)")
        self.add.clicked.connect(self._enter)
        self.cancel = button("Cancel", tip="Cancel without signing (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.add)
        layout.addLayout(buttons)
        self.search.returnPressed.connect(self._choose)
        self._fill()
        (self.search if self._people else self.name).setFocus()

    @property
    def marked(self) -> Signer | None:
        """The signer selected in the list; None if there is none."""
        item = self.list.currentItem()
        return item.data(Qt.ItemDataRole.UserRole) if item else None

    def _fill(self) -> None:
        self.list.clear()
        words = self.search.text().casefold().split()
        for signer in self._people:
            if all(any(part.startswith(word) for part in signer.signature.casefold().split()) for word in words):
                item = QListWidgetItem(signer.signature, self.list)
                item.setData(Qt.ItemDataRole.UserRole, signer)
        self.list.setCurrentRow(0)
        self._update()

    def _update(self) -> None:
        for control in (self.choose, self.rename, self.retire):
            control.setEnabled(self.marked is not None)
        self.add.setEnabled(bool(self.name.text().strip()))
        self._error.hide()

    def _choose(self) -> None:
        if self.marked:
            self.chosen = self.marked
            self.accept()

    def _begin_rename(self) -> None:
        if signer := self.marked:
            self._editing = signer
            self._heading.setText(f"Rename {signer.signature}")
            self.name.setText(signer.name)
            self.role.setText(signer.role)
            self.add.setText("Save &name")
            self.add.setToolTip("Use this name from now on (Enter)")
            self.add.setAccessibleDescription(self.add.toolTip())
            self.name.setFocus()
            self.name.selectAll()

    def _retire(self) -> None:
        self.retired = self.marked
        self.reject()

    def _enter(self) -> None:
        entered = Signer(0, " ".join(self.name.text().split()), " ".join(self.role.text().split()))
        others = [signer for signer in self._known if signer is not self._editing]
        try:
            refuse_known(entered, others)
        except InputError as error:
            self._error.setText(str(error))
            self._error.show()
            return
        if self._editing:
            self.renamed = (self._editing, entered.name, entered.role)
            self.reject()
        else:
            self.chosen = entered
            self.accept()
