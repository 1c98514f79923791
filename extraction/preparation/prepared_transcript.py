"""Edits a transcript for the models by rule, and maps their values back.

Before the models read a transcript, parts about other patients and the patient's newborn
(`extraction.preparation.people`), withdrawn words (`extraction.preparation.self_corrections`) and statements that a
category is within its limits (`extraction.preparation.exception_statements`) are removed.
Every value points into the original transcript and keeps what it replaced, and the rows of the definitions are added.
A dictation with none of these is unchanged.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from extraction.estimators.mention_reader import MentionReader
from extraction.flowsheet.naming.row_meaning import newborn_rows
from extraction.flowsheet.schema import Schema
from extraction.language.analysis import analyse
from extraction.language.edited_text import EditedText
from extraction.language.sentences import Segment
from extraction.language.spans import Span
from extraction.language.vocabulary.patient_cues import patient_cues
from extraction.preparation.exception_statements import LocatedStatement, statements, without_statements
from extraction.preparation.mentions import Mention, mentions
from extraction.preparation.people.newborn_parts import NewbornPart, newborn_parts, words_for_mother
from extraction.preparation.people.other_patients import (
    NAMES_NOBODY,
    NOBODY,
    Named,
    NamedPatients,
    PatientPart,
    Person,
    of_others,
)
from extraction.preparation.people.patient_names import forms
from extraction.preparation.read_corrections import with_read_corrections
from extraction.preparation.self_corrections import Corrected, Correction, corrected


@dataclass(frozen=True, slots=True)
class SetAside:
    """Something deliberately not charted: characters [start, end) of the transcript, and why."""

    start: int
    end: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class PreparedTranscript:
    """A transcript and the edited text for the models.

    Attributes:
        text: for the models; see `EditedText`.
        stated: the same with the statements that a category is within its limits.
        corrections: the corrections applied.
        unplaced: cues of corrections whose target was not found.
        limits: statements that a category is within its limits.
        others: the parts about other patients.
        naming: the patients named; a doubt about whose values these are applies to the whole dictation.
        newborns: the parts about a newborn who is not, or not certainly, the patient.
        removed: those of them that are not in the text, since the schema has no rows for a newborn.
        mothers: words for the patient, the mother of a newborn, that would otherwise mean the mother of the patient.
        mentions: its values, with what their surroundings make of them; none without a reader.
    """

    transcript: str
    text: EditedText
    stated: EditedText
    corrections: tuple[Correction, ...]
    unplaced: tuple[Span, ...]
    limits: tuple[LocatedStatement, ...]
    others: tuple[PatientPart, ...] = ()
    naming: NamedPatients = NAMES_NOBODY
    newborns: tuple[NewbornPart, ...] = ()
    removed: tuple[NewbornPart, ...] = ()
    mothers: tuple[Span, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @classmethod
    def of(
        cls,
        transcript: str,
        schema: Schema,
        person: Person = NOBODY,
        ward: Collection[Person] = (),
        today: dt.date | None = None,
        reader: MentionReader | None = None,
    ) -> PreparedTranscript:
        analysis = analyse(transcript)
        corrected_text = (
            corrected(transcript, schema) if analysis.has_correction_cue else Corrected(EditedText.of(transcript))
        )
        said = mentions(transcript, reader) if reader else ()
        if said:
            corrected_text = with_read_corrections(corrected_text, schema, said)
        others, naming = of_others(transcript, person, ward) if _may_name(transcript, ward) else ((), NAMES_NOBODY)
        newborns = newborn_parts(transcript, person, today) if analysis.may_name_newborn else ()
        removed = tuple(one for one in newborns if one.sure) if newborns and not newborn_rows(schema) else ()
        mothers = words_for_mother(transcript) if any(one.sure for one in newborns) else ()
        left_out = [(one.start, one.end) for one in others] + [(one.start, one.end) for one in removed]
        left_out += mothers if removed else ()
        text = corrected_text.text.without(*_runs(corrected_text.text, left_out)) if left_out else corrected_text.text
        found = statements(text.text, schema) if analysis.has_limits else []
        limits = tuple(
            LocatedStatement(
                one.name,
                one.definition,
                text.heard(*one.span),
                text.heard(*one.exception) if one.exception else None,
                one.denied,
                text.heard(one.span[0], one.exception[1] if one.exception else one.span[1]),
            )
            for one in found
        )
        read = without_statements(text, found) if found else text
        return cls(
            transcript,
            read,
            text,
            corrected_text.corrections,
            corrected_text.unplaced,
            limits,
            others,
            naming,
            newborns,
            removed,
            mothers,
            said,
        )

    @property
    def strangers(self) -> tuple[Named, ...]:
        """Every place where somebody is named whose statements may not be the patient's."""
        return self.naming.places

    @property
    def plain(self) -> bool:
        """Whether the text is the original transcript and nothing needs to be added."""
        return not (self.corrections or self.unplaced or self.limits or self.others or self.removed)

    def about_newborn(self, segments: Sequence[Segment]) -> frozenset[int]:
        """The indices of the segments of the text that are about a newborn who is certainly not the patient."""
        parts = [part for part in self.newborns if part.sure and part not in self.removed]
        heard = [(one.index, *self.text.heard(one.start, one.end)) for one in segments] if parts else []
        return frozenset(
            index for index, start, end in heard if any(part.start <= start and end <= part.end for part in parts)
        )

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """Statements that are not charted, in transcript order."""
        found = [(one.taken_back, "taken back") for one in self.corrections if one.instead is None]
        found += [((one.start, one.end), f"about {one.called or 'another patient'}") for one in self.others]
        found += [((one.start, one.end), f"about the newborn (“{one.called}”)") for one in self.removed]
        found += [
            (one.span, "not within limits" if one.denied else f"no limits are defined for {one.name}")
            for one in self.limits
            if one.definition is None
        ]
        return tuple(
            SetAside(start, end, self.transcript[start:end], why) for (start, end), why in dict.fromkeys(sorted(found))
        )


def _may_name(transcript: str, ward: Collection[Person]) -> bool:
    """Whether a transcript may name a patient, or another one of the ward, or describe somebody else."""
    called, cues = forms(), patient_cues()
    names = (called.place, called.name, called.record, cues.described, cues.relative)
    return (
        bool(ward)
        or any(pattern.search(transcript) for pattern in names)
        or any(
            cues.lead.search(before) or cues.strong_lead.search(before) or cues.first.match(before)
            for sentence in analyse(transcript).sentences
            for before in (sentence.text[: match.start()] for match in called.bare.finditer(sentence.text))
        )
    )


def _runs(text: EditedText, left_out: Sequence[Span]) -> list[Span]:
    """Spans of a text that come from these spans of the transcript."""
    inside = [any(start <= place < end for start, end in left_out) for place in text.places]
    runs, start = [], None
    for position, is_other in enumerate([*inside, False]):
        if is_other and start is None:
            start = position
        elif not is_other and start is not None:
            runs.append((start, position))
            start = None
    return runs
