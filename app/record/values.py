"""Proposed values and their evidence, as they are kept. `app.extraction_records` makes them of what extraction returns.

The names of the fields are the stored ones, see `app.record.codec`.
"""

from __future__ import annotations

from dataclasses import dataclass

from extraction.flowsheet.findings import Finding, texts
from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a value was said: characters [start, end) of the transcript, and the sentence around them."""

    start: int
    end: int
    text: str
    sentence_start: int
    sentence_end: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Why a row was asked: the kind of what brought it, its text, and the number of the sentence."""

    kind: str
    text: str
    segment: int


@dataclass(frozen=True, slots=True)
class Timing:
    """The stated time of observation: characters [start, end) of the transcript, and their text.

    Attributes:
        at: 'YYYY-MM-DDTHH:MM', local time of the ward; None for the time of the dictation, or if the words give no
            exact minute.
        since: the start of a period that ends at `at`, in the same form.
    """

    at: str | None
    since: str | None
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ProposedValue:
    """A value that a run read, and proposed or held back.

    Attributes:
        value: see `extraction.flowsheet.values.Value`; numbers of quantity rows are already in `unit`.
        unit: the row's unit (UCUM if the schema gives it); None without one.
        log_probability: sum over the value's tokens, natural logarithm.
        not_mentioned: the probability that this row was not mentioned, 0 to 1.
        confidence: 0 to 1, monotone in the probability that the value is right: the models' own, or, for a value
            written by a rule, how often that rule is right.
        relevance: cosine similarity of row and sentence, -1 to 1.
        strategy: how the row was read.
        findings: reasons for a person to look at the value.
        alternatives: other values that were considered, with their probabilities, best first.
        errors: probability by each tapped layer that the value is wrong, 0 to 1; empty without learned models.
        timing: when it was observed; None if not stated, which means the time of the dictation.
        taken_back: earlier statements that the speaker corrected into this value, in spoken order.
        rule: id of the rule that wrote it; empty for values read by the models.
        held_back_by: id of the rule that held it back; else empty.
        features: what the models weighed it by, packed; empty if they did not, and for values of a release that did not
            store it.
    """

    row_id: str
    value: Value
    unit: str | None
    evidence: Evidence
    log_probability: float
    not_mentioned: float
    confidence: float
    relevance: float
    neighbour: Neighbour
    strategy: str
    findings: tuple[Finding, ...] = ()
    alternatives: tuple[tuple[str, float], ...] = ()
    errors: tuple[float, ...] = ()
    timing: Timing | None = None
    taken_back: tuple[Evidence, ...] = ()
    rule: str = ""
    held_back_by: str = ""
    features: str = ""

    @property
    def observed_at(self) -> str | None:
        """The minute of observation; None for the time of the dictation."""
        return self.timing.at if self.timing else None

    @property
    def is_unit(self) -> bool:
        """Whether it is the unit of another number, which is not judged separately."""
        return self.neighbour.kind == "unit"

    @property
    def notes(self) -> tuple[str, ...]:
        """The texts of findings that do not light the value."""
        return texts(one for one in self.findings if not one.lights)

    @property
    def flags(self) -> tuple[str, ...]:
        """The texts of findings that light the value whatever the models' confidence."""
        return texts(self.lighting)

    @property
    def lighting(self) -> tuple[Finding, ...]:
        """The findings that light the value whatever the models' confidence."""
        return tuple(one for one in self.findings if one.lights)
