"""What the filler proposes, and where it was said."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

# single select, text, date, time, date-time, blood pressure ("142/74"): str; multi select: tuple of str;
# numeric and quantity (in the row's own unit): float; yes/no: bool
Value = str | float | bool | tuple[str, ...]


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
    """What brought a row into the reduced schema: the row's own embedding or an annotated example."""

    kind: str  # "row", "synonym", "example" or "unit" (the unit row of a number)
    text: str
    segment: int


@dataclass(frozen=True, slots=True)
class Timing:
    """When a value was observed, as its sentence says it: characters [start, end) of the transcript, and their text.

    Attributes:
        at: 'YYYY-MM-DDTHH:MM', local time of the ward; None for the time of the dictation, and where the words name no
            minute.
        since: where a period begins that ends at `at`, in the same form.
    """

    at: str | None
    since: str | None
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class FilledValue:
    """A row with the value the filler read out of the transcript.

    Attributes:
        value: see `Value`; numbers of quantity rows are already in `unit`.
        unit: the row's unit (UCUM where the schema gives it), None where it has none.
        log_probability: sum over the value's tokens, natural logarithm.
        not_mentioned: probability that the filler gave to "not mentioned" for this row, 0 to 1.
        confidence: 0 to 1, monotone in the probability that the value is right.
        relevance: cosine similarity of row and segment, -1 to 1.
        problems: why the value needs a person's eye, in plain words (out of range, unit assumed, ...); empty when none.
        alternatives: other values the filler weighed, with their probabilities, best first.
        errors: probability by each tapped layer that the value is wrong, 0 to 1; empty where nothing was learned.
        timing: when it was observed; None where nothing was said of it, which is the time of the dictation.
        taken_back: what the speaker said first and then corrected into this value, in the order in which it was said.
        rule: id of the rule that wrote it, see `extraction.rules`; empty for what the models read.
        flags: why the value is lit whatever the models' confidence, in a nurse's words; empty where that decides.
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
    problems: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, float], ...] = field(default=())
    errors: tuple[float, ...] = ()
    timing: Timing | None = None
    taken_back: tuple[Evidence, ...] = ()
    flags: tuple[str, ...] = ()
    rule: str = ""

    @property
    def observed_at(self) -> str | None:
        """The minute at which it was observed; None for the time of the dictation."""
        return self.timing.at if self.timing else None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> FilledValue:
        value = data["value"]
        return cls(
            **{
                **data,
                "value": tuple(value) if isinstance(value, list) else value,
                "evidence": Evidence(**data["evidence"]),
                "neighbour": Neighbour(**data["neighbour"]),
                "problems": tuple(data["problems"]),
                "alternatives": tuple((text, probability) for text, probability in data["alternatives"]),
                "errors": tuple(data.get("errors", ())),
                "timing": Timing(**timing) if (timing := data.get("timing")) else None,
                "taken_back": tuple(Evidence(**said) for said in data.get("taken_back", ())),
                "flags": tuple(data.get("flags", ())),
            }
        )
