"""The questions that several places ask, and the About box."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from importlib.metadata import version

from PySide6.QtWidgets import QWidget

from app.chart.records import Patient
from ui.kit.question import Question, ask
from ui.kit.responsive_layout import accepted
from ui.kit.words import identity_text

_NAMED = 4  # files whose names a question tells


class Leave(Enum):
    """What to do with a running recording before going to another patient; `STAY` cancels going there."""

    FINISH = auto()
    GO_ON = auto()
    STAY = auto()


def ask_to_leave_recording(parent: QWidget, recorded: Patient, other: Patient) -> Leave:
    """Asks what to do with the running recording about `recorded` before going to `other`."""
    answers = {"&Finish recording": Leave.FINISH, "&Keep recording": Leave.GO_ON}
    answer = ask(
        parent,
        f"A recording is running: {identity_text(recorded)}.",
        f"Finish it before you go to {identity_text(other)}? If you keep recording, everything is still charted for "
        f"{recorded.name}.",
        answers,
        default="&Finish recording",
    )
    return answer or Leave.STAY


def ask_to_close(parent: QWidget, *, recorded: str, work: str) -> bool:
    """Asks whether to close the window while a recording about the patient `recorded`, or else a job (`work`), runs."""
    question, words = (
        (
            "A recording is running. Quit now?",
            f"The recording about {recorded} is saved, and you can resume it at the next start.",
        )
        if recorded
        else (
            "Still processing a dictation. Quit now?",
            f"{work.rstrip('…')}. It is kept, and resumes where it stopped.",
        )
    )
    return bool(ask(parent, question, words, {"&Quit": True}, leave="Keep open"))


def ask_to_open(parent: QWidget, names: Sequence[str], patient: Patient) -> bool:
    """Asks whether to open several files of these names for a patient."""
    named, others = ", ".join(names[:_NAMED]), len(names) - _NAMED
    return bool(
        ask(
            parent,
            f"Open {len(names)} files for {identity_text(patient)}?",
            f"Each becomes a dictation of this patient: {named}{f' and {others} more' if others > 0 else ''}.",
            {f"&Open {len(names)} files": True},
        )
    )


def ask_to_discharge(parent: QWidget, patient: Patient, words: str, does: str) -> bool:
    """Asks whether to discharge a patient; `does` is the label of the button that confirms it."""
    return bool(ask(parent, f"Discharge {identity_text(patient)}?", words, {does: True}))


def show_about(parent: QWidget) -> None:
    """Shows the About box."""
    dialog = Question(
        f"Wardlight {version('wardlight')}",
        "Turns a dictation into a flowsheet that you check. It works only on this computer; nothing leaves it unless "
        "your hospital has it hand over what you file. Values that you have not confirmed are never exported.\n\n"
        "Free software under the Apache License 2.0. What it is made of, and under which licences, is in NOTICES.md.",
        (),
        "Close",
        parent,
    )
    dialog.set_default("Close")
    accepted(dialog)
