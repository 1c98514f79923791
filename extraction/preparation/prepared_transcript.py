"""What the speaker means, as far as rules can tell, laid around the models.

Before the models read a transcript, parts about other patients (`extraction.preparation.other_patients`), what the
speaker took back (`extraction.preparation.self_corrections`) and statements that a category is within its limits
(`extraction.preparation.exception_statements`) leave the text. Afterwards every value points into the transcript as it
was heard, remembers what it replaced, and the rows of the definitions are added. A dictation with none of these goes
through unchanged.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Evidence, FilledValue, Proposals
from extraction.language.analysis import analyse
from extraction.language.edited_text import Reworded, Span
from extraction.language.vocabulary.patient_cues import patient_cues
from extraction.preparation.exception_statements import Heard, by_definition, statements, without_statements
from extraction.preparation.observation_times import moments
from extraction.preparation.other_patients import NAMES_NOBODY, NOBODY, Naming, Part, Person, of_others
from extraction.preparation.patient_names import forms
from extraction.preparation.self_corrections import Corrected, Correction, corrected
from extraction.rules.changes import Change, added, flagged
from extraction.rules.explicit_statements import stated_outright
from extraction.rules.observation_times import observed


@dataclass(frozen=True, slots=True)
class SetAside:
    """Something that was said and is not charted on purpose: characters [start, end) of the transcript, and why."""

    start: int
    end: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Said:
    """A transcript and what the models read of it.

    Attributes:
        text: for the models; see `Reworded`.
        corrections: what was taken back.
        unplaced: words that announce a correction of nothing that was found.
        limits: statements that a category is within its limits.
        others: the parts about other patients.
        naming: whom the transcript names; a doubt about whose values these are is one of the whole dictation.
    """

    transcript: str
    text: Reworded
    corrections: tuple[Correction, ...]
    unplaced: tuple[Span, ...]
    limits: tuple[Heard, ...]
    others: tuple[Part, ...] = ()
    naming: Naming = NAMES_NOBODY

    @classmethod
    def of(cls, transcript: str, schema: Schema, person: Person = NOBODY, ward: Collection[Person] = ()) -> Said:
        analysis = analyse(transcript)
        told = corrected(transcript, schema) if analysis.has_correction_cue else Corrected(Reworded.of(transcript))
        others, naming = of_others(transcript, person, ward) if _may_name(transcript, ward) else ((), NAMES_NOBODY)
        text = told.text.without(*_runs(told.text, others)) if others else told.text
        found = statements(text.text, schema) if analysis.has_limits else []
        limits = tuple(
            Heard(
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
        return cls(transcript, read, told.corrections, told.unplaced, limits, others, naming)

    @property
    def plain(self) -> bool:
        """Whether the models read the transcript as it is, and nothing is to be added."""
        return not (self.corrections or self.unplaced or self.limits or self.others)

    def stated(self, proposals: Proposals, schema: Schema) -> Iterator[Change]:
        """What the text states or denies outright."""
        return stated_outright(self.text.text, proposals, schema, self._corrections_in_text())

    def placed(self, proposals: Proposals) -> Iterator[Change]:
        """Where in the transcript each value was heard, and what it replaced."""
        if self.plain:
            return
        for value in (*proposals.values, *proposals.unlikely):
            placed = self._placed(value)
            first, findings = self._replaced(placed.evidence)
            yield flagged(value, *findings, value=replace(placed, taken_back=first))

    def within_limits(self, proposals: Proposals, schema: Schema, now: dt.datetime) -> Iterator[Change]:
        """What the definitions chart that were stated; spoken times count from `now`. The proposals are placed in the
        transcript."""
        if not self.limits:
            return
        defined, beside = by_definition(self.transcript, schema, self.limits, proposals.values)
        yield from beside
        spoken = moments(analyse(self.transcript).sentences, now) if defined else ()
        for value in defined:
            held_back = [one for one in proposals.unlikely if one.row_id == value.row_id]
            bare = replace(value, findings=())  # this rule found them, and signs them
            placed = observed(self.transcript, schema.row(value.row_id), bare, spoken)
            # no model has read it: an unclear time lights it
            unclear = [Finding("time_unclear", (one.text,)) for one in placed.findings]
            yield added(replace(placed, findings=()), *value.findings, *unclear, instead_of=held_back)

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """What was said and is not charted, in the order of the transcript."""
        found = [(one.taken_back, "taken back") for one in self.corrections if one.instead is None]
        found += [((one.start, one.end), f"about {one.called or 'another patient'}") for one in self.others]
        found += [
            (one.span, "not within limits" if one.denied else f"no limits are defined for {one.name}")
            for one in self.limits
            if one.definition is None
        ]
        return tuple(
            SetAside(start, end, self.transcript[start:end], why) for (start, end), why in dict.fromkeys(sorted(found))
        )

    def _corrections_in_text(self) -> list[Span]:
        """Where in the text of the models the words stand that were said as corrections."""
        found = []
        for one in self.corrections:
            if one.instead:
                inside = [at for at, place in enumerate(self.text.places) if one.instead[0] <= place < one.instead[1]]
                if inside:
                    found.append((min(inside), max(inside) + 1))
        return found

    def _placed(self, value: FilledValue) -> FilledValue:
        said = value.evidence
        start, end = self.text.heard(said.start, said.end)
        sentence = self.text.heard(said.sentence_start, said.sentence_end)
        placed = replace(value, evidence=Evidence(start, end, self.transcript[start:end], *sentence))
        if value.timing is None:
            return placed
        start, end = self.text.heard(value.timing.start, value.timing.end)
        timing = replace(value.timing, start=start, end=end, text=self.transcript[start:end])
        return replace(placed, timing=timing)

    def _replaced(self, evidence: Evidence) -> tuple[tuple[Evidence, ...], list[Finding]]:
        """What was said before a value was corrected, and what is to be known about that."""
        replaced = self._replaced_by((evidence.start, evidence.end))
        first = tuple(self._evidence(one.taken_back) for one in replaced)
        findings = [Finding("corrected_from", (one.text,)) for one in first]
        if any(one.unsure for one in replaced):
            findings.append(Finding("unclear_correction"))
        return first, [*findings, *self._near(evidence)]

    def _replaced_by(self, span: Span) -> list[Correction]:
        """The corrections that led to these words, also those of what was itself said as a correction, in order."""
        found: list[Correction] = []
        for one in reversed(self.corrections):
            if one.instead and any(
                _overlap(one.instead, said) for said in (span, *(later.taken_back for later in found))
            ):
                found.append(one)
        return found[::-1]

    def _near(self, evidence: Evidence) -> Sequence[Finding]:
        """A doubt where a correction of nothing that was found stands in or right behind the sentence."""
        for start, end in self.unplaced:
            between = self.transcript[evidence.sentence_end : start]
            if _overlap((start, end), (evidence.sentence_start, evidence.sentence_end)) or (
                evidence.sentence_end <= start and not between.strip(" \t\n,;:.!?…–—-")
            ):
                return [Finding("correction_without_target", (self.transcript[start:end],))]
        return []

    def _evidence(self, span: Span) -> Evidence:
        around = next((one for one in analyse(self.transcript).sentences if one.start <= span[0] < one.end), None)
        sentence = (around.start, max(around.end, span[1])) if around else span
        return Evidence(*span, self.transcript[span[0] : span[1]], *sentence)


def _may_name(transcript: str, ward: Collection[Person]) -> bool:
    """Whether a transcript may name a patient: by bed, room, title or record number, or another one of the ward."""
    called, cues = forms(), patient_cues()
    return (
        bool(ward)
        or any(pattern.search(transcript) for pattern in (called.place, called.name, called.record))
        or any(
            cues.lead.search(before) or cues.strong_lead.search(before) or cues.first.match(before)
            for sentence in analyse(transcript).sentences
            for before in (sentence.text[: match.start()] for match in called.bare.finditer(sentence.text))
        )
    )


def _runs(text: Reworded, others: Sequence[Part]) -> list[Span]:
    """The stretches of a text that were heard in parts about others."""
    inside = [any(part.start <= place < part.end for part in others) for place in text.places]
    runs, start = [], None
    for position, is_other in enumerate([*inside, False]):
        if is_other and start is None:
            start = position
        elif not is_other and start is not None:
            runs.append((start, position))
            start = None
    return runs


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
