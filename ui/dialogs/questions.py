"""Message boxes: short questions with two or three answers, and the About box."""

from __future__ import annotations

from enum import Enum, auto
from importlib.metadata import version

from PySide6.QtWidgets import QMessageBox, QWidget

from app.chart.records import Patient
from ui.kit.words import identity_text


class Leave(Enum):
    """What to do with a running recording before going to another patient; `STAY` cancels going there."""

    FINISH = auto()
    GO_ON = auto()
    STAY = auto()


def ask_to_leave_recording(parent: QWidget, recorded: Patient, other: Patient) -> Leave:
    """Asks what to do with the running recording about `recorded` before going to `other`."""
    box = QMessageBox(parent)
    box.setWindowTitle("A recording is running")
    box.setText(
        f"A recording is running: {identity_text(recorded)}.\n\nFinish it before you go to {identity_text(other)}?"
    )
    box.setInformativeText(f"If you keep recording, everything is still charted for {recorded.name}.")
    answers = {
        box.addButton("&Finish recording", QMessageBox.ButtonRole.AcceptRole): Leave.FINISH,
        box.addButton("&Keep recording", QMessageBox.ButtonRole.DestructiveRole): Leave.GO_ON,
        box.addButton(QMessageBox.StandardButton.Cancel): Leave.STAY,
    }
    box.setDefaultButton(next(iter(answers)))
    box.exec()
    answer = next((what for one, what in answers.items() if one is box.clickedButton()), Leave.STAY)
    box.deleteLater()
    return answer


def ask_to_close(parent: QWidget, *, recording: bool) -> bool:
    """Asks whether to close the window while a recording or a job runs."""
    running = (
        "A recording is running. It is saved, and you can resume it at the next start."
        if recording
        else "Still processing a dictation. Quit now? You can resume later."
    )
    answer = QMessageBox.question(
        parent,
        "Close Wardlight?",
        running,
        QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel,
        QMessageBox.StandardButton.Cancel,
    )
    return answer == QMessageBox.StandardButton.Close


def ask_to_discharge(parent: QWidget, patient: Patient, words: str, does: str) -> bool:
    """Asks whether to discharge a patient; `does` is the label of the button that confirms it."""
    box = QMessageBox(QMessageBox.Icon.Question, "Discharge", f"Discharge {identity_text(patient)}?")
    box.setParent(parent, box.windowFlags())
    box.setInformativeText(words)
    yes = box.addButton(does, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    sure = box.clickedButton() is yes
    box.deleteLater()
    return sure


def show_about(parent: QWidget) -> None:
    """Shows the About box."""
    QMessageBox.about(
        parent,
        "About Wardlight",
        f"Wardlight {version('wardlight')}\n\nTurns a dictation into a flowsheet that you check. It works only on this "
        "computer and sends nothing anywhere. Values that you have not confirmed are never exported.",
    )
