"""Makes the note of a dictation. Each piece of a sentence that tells a value says which one it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.chart.cells import column_of, local_of
from app.chart.gaps.words import said
from app.chart.handover.layout import HandoverLayout
from app.chart.records import ChartEntry, Patient, ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import NUMBER_TYPES, Row, ValueType

_PLAIN = NUMBER_TYPES | {ValueType.BLOOD_PRESSURE, ValueType.DATE, ValueType.TIME, ValueType.DATE_TIME}
_BY_HAND = (ReviewStatus.EDITED, ReviewStatus.ADDED)


@dataclass(frozen=True, slots=True)
class NotePiece:
    """A piece of a sentence. `value_id` is that of the value that it tells; None of words of the template."""

    text: str
    value_id: int | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """What is told of one part of the body, or one topic, at one time."""

    pieces: tuple[NotePiece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Note:
    """A note.

    Attributes:
        signers: who confirmed its values.
        undecided: number of proposals that nobody decided about, which are not in it.
    """

    patient: Patient
    dictation_id: int
    dictation: str
    dictated_at: str
    sentences: tuple[NoteSentence, ...]
    values: int
    signers: tuple[str, ...]
    undecided: int

    @property
    def text(self) -> str:
        """The whole note as plain text."""
        foot = [f"Confirmed by {', '.join(self.signers)}."] if self.signers else ["No value is confirmed."]
        if self.undecided:
            many = "1 value is" if self.undecided == 1 else f"{self.undecided} values are"
            foot.append(f"{many} not decided about and not in this note.")
        return "\n".join([self.head, "", *(one.text for one in self.sentences), "", " ".join(foot)])

    @property
    def head(self) -> str:
        """Whose note it is, and of when."""
        one = self.patient
        known = (one.name, f"MRN {one.mrn}" if one.mrn else "", f"bed {one.bed}" if one.bed else "")
        return f"{' · '.join(filter(None, known))}. {local_of(self.dictated_at):%Y-%m-%d %H:%M}."


def note_of(sheet: Sheet, layout: HandoverLayout) -> Note:
    """The note of a sheet: its charted values in the order of a layout's sections and, there, of time."""
    places, order = layout.places(sheet.schema), {row.id: place for place, row in enumerate(sheet.schema.rows)}
    groups: defaultdict[tuple[int, str], list[ChartEntry]] = defaultdict(list)
    standing = [one for one in sheet.placed if one.value.stands]
    for one in standing:
        groups[places[one.value.row_id], column_of(one)].append(one)
    reasons = sheet.reasons
    flagged = {one.value.id for one in standing if one.value.id in reasons and one.value.status not in _BY_HAND}
    sentences = [
        _sentence(layout.sections[place].title, at, sorted(of, key=lambda one: order[one.value.row_id]), sheet, flagged)
        for (place, at), of in sorted(groups.items())
    ]
    return Note(
        sheet.patient,
        sheet.dictation.id,
        sheet.dictation.name,
        sheet.dictation.created_at,
        tuple(sentences),
        len(standing),
        tuple(dict.fromkeys(one.value.reviewer for one in standing)),
        sheet.count(ReviewStatus.PROPOSED),
    )


def _sentence(title: str, at: str, of: Sequence[ChartEntry], sheet: Sheet, flagged: set[int]) -> NoteSentence:
    moment, day = local_of(at), sheet.day
    when = f"{moment:%H:%M}" if moment.date() == day else f"{moment:%Y-%m-%d %H:%M}"
    return NoteSentence((NotePiece(f"{title}, {when}: "), *_told(of, sheet, flagged), NotePiece(".")))


def _told(of: Sequence[ChartEntry], sheet: Sheet, flagged: set[int]) -> Iterator[NotePiece]:
    for place, one in enumerate(of):
        if place:
            yield NotePiece("; ")
        row, lit = sheet.schema.row(one.value.row_id), one.value.id in flagged
        yield NotePiece(_value(row, one) + (" (was flagged)" if lit else ""), one.value.id, lit)


def _value(row: Row, one: ChartEntry) -> str:
    words = said(row, one.value)
    return f"{row.name} {words}" if row.value_type in _PLAIN and words[:1].isdigit() else f"{row.name}: {words}"
