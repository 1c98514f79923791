"""Proposed values and their evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from extraction.flowsheet.findings import Finding, texts

# single select, text, date, time, date-time, blood pressure ("142/74"): str; multi select: tuple of str;
# numeric and quantity (in the row's own unit): float; yes/no: bool
# of any type of row: NotObtained
Value = str | float | bool | tuple[str, ...]


class NotObtained(StrEnum):
    """In place of a value: that it was tried and not obtained, and why. Only a person enters it, nothing reads it."""

    REFUSED = "Not obtained: refused"
    UNABLE = "Not obtained: unable to assess"
    NOT_DONE = "Not obtained: not done"
    NOT_APPLICABLE = "Not obtained: not applicable"


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
    """What brought a row into the reduced schema."""

    kind: str  # "row", "synonym", "example", "words" (of a name or option), "unit" (of a number), "place", "definition"
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
class FilledValue:
    """A row with the value the filler read from the transcript.

    Attributes:
        value: see `Value`; numbers of quantity rows are already in `unit`.
        unit: the row's unit (UCUM if the schema gives it); None without one.
        log_probability: sum over the value's tokens, natural logarithm.
        not_mentioned: the filler's probability that this row was not mentioned, 0 to 1.
        confidence: 0 to 1, monotone in the probability that the value is right: the models' own, or, for a value
            written by a rule, how often that rule is right.
        relevance: cosine similarity of row and segment, -1 to 1.
        findings: reasons for a person to look at the value.
        alternatives: other values the filler considered, with their probabilities, best first.
        errors: probability by each tapped layer that the value is wrong, 0 to 1; empty without learned models.
        timing: when it was observed; None if not stated, which means the time of the dictation.
        taken_back: earlier statements that the speaker corrected into this value, in spoken order.
        rule: id of the rule that wrote it, see `extraction.rules.engine`; empty for values read by the models.
        held_back_by: id of the rule that held it back, after which no other rule proposes it; else empty.
        features: what the models weighed it by, see `extraction.confidence.learned_models.Weighing`; empty if they did
            not, and for values of a release that did not store it.
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
    alternatives: tuple[tuple[str, float], ...] = field(default=())
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
    def has_own_time(self) -> bool:
        """Whether its own sentence says when it was observed; else a time that heads the dictation may."""
        said = self.evidence
        return self.observed_at is not None and (
            self.timing is not None and said.sentence_start <= self.timing.start < said.sentence_end
        )

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
        return texts(one for one in self.findings if one.lights)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Proposals:
    """Values proposed to the nurse, and values that were read and held back; both best first.

    Attributes:
        weighed_by: signature of the models that weighed them, see `extraction.confidence.learned_models.signature`;
            empty if none did.
        features_signature: the corresponding signature of the features' meaning.
    """

    values: tuple[FilledValue, ...]
    held_back: tuple[FilledValue, ...]
    weighed_by: str = ""
    features_signature: str = ""


NO_PROPOSALS = Proposals((), ())
