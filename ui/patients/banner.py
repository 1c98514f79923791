"""Banner at the top of the window: the patient, the signer, and what leaves this computer, if anything."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QWidget

from app.chart.records import Patient
from ui.kit.responsive_layout import QWIDGETSIZE_MAX
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedButton, ElidedLabel, IconLabel, button, label
from ui.kit.words import INCOMPLETE, identifiers, place_text

_LONG_NAME = 280  # pixels of the flowsheet's name
_SHORT_NAME = 130  # pixels of the signer where space is short
_OFFLINE, _SENDS = "Works offline", "Sends filed values"
_STAYS = "Recordings, texts and values stay on this computer. Nothing is sent anywhere."
_HANDED_OVER = (
    "Everything is worked out on this computer. Filed values, with the words that state them, go to the record system."
)


class Banner(QFrame):
    """Patient on the left, machine on the right.

    Signals:
        list_asked, record_asked: from the buttons that replace a folded side bar.
        patient_asked: the user wants to choose or add a patient.
        signer_asked: the user wants to switch the signer.
        flowsheet_asked: the user wants to see or change the flowsheet in use.
        chart_asked: the user wants to see the patient's chart.
    """

    list_asked = Signal()
    record_asked = Signal()
    patient_asked = Signal()
    signer_asked = Signal()
    flowsheet_asked = Signal()
    chart_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("Patient")
        self._narrow = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 4, 16, 4)
        layout.setSpacing(14)
        self.list = button(
            "",
            theme.icon("list", "banner_text"),
            tip="Patients and dictations (Ctrl+L, B)",
            clicked=self.list_asked.emit,
        )
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not take the focus from the list
        self.record = button("", theme.icon("record", "banner_text"), tip="Record", clicked=self.record_asked.emit)
        layout.addWidget(self.list)
        layout.addWidget(self.record)
        layout.addWidget(IconLabel(theme.icon("patient", "banner_text"), 28))
        self._name, self._identity = ElidedLabel("name"), ElidedLabel("caption")
        self._who = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._who.addWidget(self._name)
        self._who.addWidget(self._identity)
        layout.addLayout(self._who)
        layout.addSpacing(10)
        self.choose = button(
            "&Patient…",
            tip="Choose or add the patient for the next recording (Ctrl+P)",
            clicked=self.patient_asked.emit,
        )
        layout.addWidget(self.choose)
        self.chart = button("Chart", tip="What is charted of this patient (C)", clicked=self.chart_asked.emit)
        layout.addWidget(self.chart)
        layout.addStretch(1)
        self.flowsheet = ElidedButton(theme.icon("list", "banner_text"))
        self.flowsheet.clicked.connect(lambda: self.flowsheet_asked.emit())  # noqa: PLW0108 - as below
        self.flowsheet.setMaximumWidth(_LONG_NAME)
        layout.addWidget(self.flowsheet)
        self.signer = ElidedButton(theme.icon("edit", "banner_text"))
        self.signer.clicked.connect(lambda: self.signer_asked.emit())  # noqa: PLW0108 - not the signal's `checked`
        self.signer.setToolTip("Current signer. Switch with Ctrl+G")
        self.signer.setAccessibleDescription(self.signer.toolTip())
        layout.addWidget(self.signer)

        self._offline = label(_OFFLINE)
        self._offline.setToolTip(_STAYS)
        self._here = QWidget()
        offline = QHBoxLayout(self._here)
        offline.setContentsMargins(0, 0, 0, 0)
        offline.setSpacing(8)
        offline.addWidget(IconLabel(theme.icon("offline", "banner_text")))
        offline.addWidget(self._offline)
        layout.addWidget(self._here)
        self.stand_in(needed=False)
        self.show_patient(None)
        self.show_signer("")
        self.show_flowsheet("", "")

    def show_signer(self, signature: str) -> None:
        """Shows who signs; an empty `signature` means that nobody does."""
        self.signer.show_words(signature or "No signer")
        self.signer.setAccessibleName(f"Signing: {signature}" if signature else "No signer")

    def show_flowsheet(self, name: str, about: str) -> None:
        """Shows the flowsheet in use, with more `about` it in a tip; none without a name."""
        self.flowsheet.show_words(f"Flowsheet: {name}" if name else "")
        self.flowsheet.setAccessibleName(f"Flowsheet in use: {name}")
        self.flowsheet.setToolTip(
            f"Flowsheet for new dictations: {name} ({about}).\n"
            "Choose another one (Ctrl+T); import or update it from your record system in the menu File."
        )
        self.flowsheet.setAccessibleDescription(self.flowsheet.toolTip())
        self.flowsheet.setVisible(bool(name) and not self._narrow)

    @property
    def patient_text(self) -> str:
        """Name and identity as shown."""
        return f"{self._name.text()} · {self._identity.text()}"

    def show_patient(self, patient: Patient | None) -> None:
        if patient is None:
            self._name.setText("No patient chosen")
            self._identity.setText("Choose a patient before you open a recording")
        else:
            place = place_text(patient)
            known = (*(identifiers(patient) or (INCOMPLETE,)), place[:1].upper() + place[1:])
            self._name.setText(patient.name)
            self._identity.setText("   ·   ".join(part for part in known if part))

    def stand_in(self, *, needed: bool) -> None:
        """Shows or hides the buttons needed while the side bar has no place of its own.

        They and the signer then take the place of the machine, and the patient two lines, so that it stays readable in
        full.
        """
        for stands_in in (self.list, self.record):
            stands_in.setVisible(needed)
        self._narrow = needed
        self.flowsheet.setVisible(not needed and bool(self.flowsheet.words))
        self._here.setVisible(not needed)
        self.chart.setVisible(not needed)
        self._who.setDirection(QBoxLayout.Direction.TopToBottom if needed else QBoxLayout.Direction.LeftToRight)
        self._who.setSpacing(0 if needed else 14)
        self.signer.setMaximumWidth(_SHORT_NAME if needed else QWIDGETSIZE_MAX)

    def show_machine(self, models: str, *, delivers: bool) -> None:
        """Says in a tip which models run, and where, and whether filed values are handed over."""
        self._offline.setText(_SENDS if delivers else _OFFLINE)
        self._offline.setToolTip(f"{_HANDED_OVER if delivers else _STAYS}\n\n{models}")
