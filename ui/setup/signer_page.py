"""The page of the first-run assistant that asks who signs."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from app.chart.records import Signer
from app.services.context.signing import Signing
from ui.kit.widgets import label
from ui.setup.assistant_page import AssistantPage


class SignerPage(AssistantPage):
    """Name and role of the signer of decisions on this computer."""

    name, title = "Who signs", "Who signs?"
    about = (
        "Your name is saved with every value you review and every dictation you file. "
        "You can add others later; Ctrl+G switches."
    )
    without = "If no one signs, the first decision asks for a name."

    def __init__(self, signing: Signing) -> None:
        super().__init__()
        self._known = signing.signer
        self.signer_name, self.role = QLineEdit(), QLineEdit()
        fields = ((self.signer_name, "&Name", "First and last name"), (self.role, "R&ole", "For example, RN"))
        for field, words, hint in fields:
            heading = label(words, "heading")
            heading.setBuddy(field)
            field.setAccessibleName(words.replace("&", ""))
            field.setPlaceholderText(hint)
            field.setMaximumWidth(380)
            field.textChanged.connect(self.changed)
            self.body.addWidget(heading)
            self.body.addWidget(field)
        if self._known:
            self.signer_name.setText(self._known.name)
            self.role.setText(self._known.role)
        self.body.addStretch(1)

    @property
    def entered(self) -> Signer | None:
        """The signer entered; None if there is no name or it is the known signer."""
        name, role = (" ".join(field.text().split()) for field in (self.signer_name, self.role))
        if not name or (self._known and (name, role) == (self._known.name, self._known.role)):
            return None
        return Signer(0, name, role)

    @property
    def ready(self) -> bool:
        return bool(self.signer_name.text().strip())

    @property
    def state(self) -> str:
        shown = self.entered or (self._known if self.ready else None)
        return shown.signature if shown else "No one yet"

    @property
    def first(self) -> QWidget:
        return self.signer_name
