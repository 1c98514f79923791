"""The sentence above an answer: what was found, of whom nothing is charted, and what flagged values could change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.asking.answer import Answer, NotCharted, Number
from app.asking.figures.amounts import clock_words, duration_words
from app.asking.selection import Selection
from extraction.questions.query import Missing, Quote, Reason, Refusal
from extraction.questions.ward import WardPatient

_REFUSALS = {
    Reason.NO_QUESTION: "Nothing is asked.",
    Reason.TOO_LONG: "The question is too long.",
    Reason.NOT_ENGLISH: "Only English is understood.",
    Reason.ADVICE: "Wardlight gives no advice; it answers what is charted.",
    Reason.PREDICTION: "Wardlight does not predict; it answers what is charted.",
    Reason.NOT_IN_THE_NOTES: "That is not in the notes.",
    Reason.UNKNOWN_PATIENT: "No such patient is on the ward.",
    Reason.SEVERAL_PATIENTS: "Several patients have this name.",
    Reason.NO_SUCH_WINDOW: "Nothing is charted that early.",
    Reason.UNIT: "What is asked for is not measured in this unit.",
    Reason.NOT_UNDERSTOOD: "The question was not understood.",
}


def refusal_head(refusal: Refusal) -> str:
    return _REFUSALS[refusal.reason]


def selection_head(found: Selection, changing: int, now: datetime) -> str:
    """'3 of 12 patients; 1 not charted since 22:10; 1 flagged value could change this.'"""
    if len(found.subjects) == 1 and len(found.picked) == 1 and len(found.columns) == 1:
        cell, patient = found.picked[0].rows[0][0], found.subjects[0]
        if len(found.picked[0].rows) == 1 and cell.value is not None:
            at = f" at {clock_words(cell.at, now)}" if cell.at and not cell.arithmetic else ""
            return _sentence([f"{patient.name}: {found.columns[0].title} {cell.text}{at}"], (), changing, now)
    return _sentence([_share(found)], found.not_charted, changing, now)


def count_head(found: Selection, changing: int, now: datetime) -> str:
    return _sentence([_share(found)], found.not_charted, changing, now)


def _share(found: Selection) -> str:
    return f"{len(found.ids)} of {_counted(len(found.subjects), 'patient')}"


def number_head(words: str, number: Number | None, found: Selection, changing: int, now: datetime) -> str:
    if number is None:
        return _sentence([f"No {words}"], found.not_charted, changing, now)
    range_words = "" if number.low == number.high else f" (between {number.low:g} and {number.high:g})"
    told = f"{words[:1].upper()}{words[1:]}: {number.text}{range_words}, {_share(found)}"
    return _sentence([told], found.not_charted, changing, now)


def group_head(groups: int, patients: int, found: Selection, changing: int, now: datetime) -> str:
    told = f"{patients} of {_counted(len(found.subjects), 'patient')} in {_counted(groups, 'group')}"
    return _sentence([told], found.not_charted, changing, now)


def compare_head(left: Answer, right: Answer, number: Number | None) -> str:
    heads = f"{left.head.rstrip('.')}. {right.head.rstrip('.')}."
    return f"{heads} Difference: {number.text}." if number else heads


def sequence_head(
    values: int, subjects: Sequence[WardPatient], missing: Sequence[NotCharted], changing: int, now: datetime
) -> str:
    whose = f" of {subjects[0].name}" if len(subjects) == 1 else f" of {_counted(len(subjects), 'patient')}"
    return _sentence([f"{_counted(values, 'value')}{whose}"], missing, changing, now)


def missing_head(query: Missing, patients: int, subjects: int, changing: int, now: datetime) -> str:
    names = " or ".join(measure.name for measure in query.measures)
    words = query.window.words or (f"for {duration_words(query.longer_than)}" if query.longer_than else "")
    told = f"{patients} of {_counted(subjects, 'patient')} without {names}{' ' if words else ''}{words}"
    return _sentence([told], (), changing, now)


def quotes_head(query: Quote, sentences: int, patients: int, shown: int) -> str:
    """That the sentences are only what was said; also that not all are shown."""
    if not sentences:
        return f"No dictation speaks of “{query.topic}”."
    only = f", the latest {shown} shown" if shown < sentences else ""
    about = f"{_counted(sentences, 'sentence')} about “{query.topic}” of {_counted(patients, 'patient')}{only}"
    return f"{about}; nobody confirmed what they say."


def _sentence(parts: list[str], missing: Sequence[NotCharted], changing: int, now: datetime) -> str:
    if missing:
        parts.append(_missing_words(missing, now))
    if changing:
        parts.append(f"{_counted(changing, 'flagged value')} could change this")
    return "; ".join(parts) + "."


def _missing_words(missing: Sequence[NotCharted], now: datetime) -> str:
    patients = len({one.patient_id for one in missing})
    if patients > 1:
        return f"{patients} not charted"
    last = max((one.last for one in missing if one.last), default=None)
    return f"1 not charted since {clock_words(last, now)}" if last else "1 never charted"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
