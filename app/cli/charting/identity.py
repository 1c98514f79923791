"""Asks in the terminal whose dictation it is, if it names somebody other than its patient."""

from __future__ import annotations

from collections.abc import Callable

from app.chart.dictation_identity import IdentityQuestion, quoted, refusal
from app.chart.records import Patient
from app.record.errors import UnsureIdentity
from app.services.review.sheet_loader import question_about
from app.store import Store


def settle(store: Store, dictation_id: int, signed_by: Callable[[], str], *, same_patient: bool) -> None:
    """Records that a dictation is about its patient, if that is in doubt and `same_patient` confirms it.

    Raises UnsureIdentity if it is in doubt and not confirmed.
    """
    question = question_about(store, dictation_id)
    if question is None:
        return
    if not same_patient:
        raise UnsureIdentity(refusal(question.naming, question.patient).what, _what_to_do(dictation_id, question))
    _confirm(store, dictation_id, question, signed_by())


def ask(store: Store, dictation_id: int, reviewer: str) -> None:
    """Asks whether a dictation is about its patient, if in doubt. Raises UnsureIdentity unless the answer is yes."""
    question = question_about(store, dictation_id)
    if question is None:
        return
    print(f"You said {quoted(question.words)}. This dictation belongs to {_identity(question.patient)}.")
    for other in question.candidates:
        print(f"  It may be about {_identity(other)}.")
    for called in question.unknown:
        print(f"  No patient on the list: {called}.")
    try:
        answer = input(f"Is it {question.patient.name}? y yes   q stop > ").strip().lower()
    except EOFError:
        answer = ""
    if answer not in ("y", "yes"):
        raise UnsureIdentity("Nothing was reviewed.", _what_to_do(dictation_id, question))
    _confirm(store, dictation_id, question, reviewer)


def _confirm(store: Store, dictation_id: int, question: IdentityQuestion, reviewer: str) -> None:
    store.identity_answers.confirm(dictation_id, question.patient.id, question.naming.called, reviewer)


def _what_to_do(dictation_id: int, question: IdentityQuestion) -> str:
    name = question.move_to.name if question.move_to else "NAME"
    return (
        f'Move it with: wardlight move {dictation_id} --patient "{name}". If it is {question.patient.name}, repeat the '
        "command with --same-patient."
    )


def _identity(patient: Patient) -> str:
    known = (patient.name, f"MRN {patient.mrn}" if patient.mrn else "", f"bed {patient.bed}" if patient.bed else "")
    return ", ".join(filter(None, known))
