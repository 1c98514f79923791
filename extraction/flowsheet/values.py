"""What the filler proposes, and where it was said."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from extraction.flowsheet.findings import Finding, texts

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

    kind: str  # "row", "synonym", "example", "words" (of a name or option), "unit" (of a number), "place", "definition"
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
        confidence: 0 to 1, monotone in the probability that the value is right: the models' own, and of what a rule
            wrote how often that rule is right.
        relevance: cosine similarity of row and segment, -1 to 1.
        findings: why the value needs a person's eye; empty when nothing speaks for that.
        alternatives: other values the filler weighed, with their probabilities, best first.
        errors: probability by each tapped layer that the value is wrong, 0 to 1; empty where nothing was learned.
        timing: when it was observed; None where nothing was said of it, which is the time of the dictation.
        taken_back: what the speaker said first and then corrected into this value, in the order in which it was said.
        rule: id of the rule that wrote it, see `extraction.rules.engine`; empty for what the models read.
        held_back_by: id of the rule that held it back, after which no other rule proposes it; else empty.
        features: what the models weighed it by, see `extraction.confidence.learned_models.Weighing`; empty where they
            did not, and for values of a release that did not keep it.
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
        """The minute at which it was observed; None for the time of the dictation."""
        return self.timing.at if self.timing else None

    @property
    def is_unit(self) -> bool:
        """Whether it is the unit that follows a number, which is not judged by itself."""
        return self.neighbour.kind == "unit"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is noted beside it, in words."""
        return texts(one for one in self.findings if not one.lights)

    @property
    def flags(self) -> tuple[str, ...]:
        """Why it is lit whatever the models' confidence, in words; empty where that decides."""
        return texts(one for one in self.findings if one.lights)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> FilledValue:
        """Also of a release that stored the words of findings (`problems`, `flags`) instead of their codes."""
        value, data = data["value"], dict(data)
        earlier = [("noted", text) for text in data.pop("problems", ())]
        earlier += [("noted_lit", text) for text in data.pop("flags", ())]
        findings = [Finding(one["code"], tuple(one["about"]), one["rule"]) for one in data.get("findings", ())]
        return cls(
            **{
                **data,
                "value": tuple(value) if isinstance(value, list) else value,
                "evidence": Evidence(**data["evidence"]),
                "neighbour": Neighbour(**data["neighbour"]),
                "findings": (*findings, *(Finding(code, (text,)) for code, text in earlier)),
                "alternatives": tuple((text, probability) for text, probability in data["alternatives"]),
                "errors": tuple(data.get("errors", ())),
                "timing": Timing(**timing) if (timing := data.get("timing")) else None,
                "taken_back": tuple(Evidence(**said) for said in data.get("taken_back", ())),
            }
        )


@dataclass(frozen=True, slots=True)
class Proposals:
    """What is put before the nurse, and what was read but is too unlikely to be; both best first.

    Attributes:
        weighed_by: signature of what weighed them, see `extraction.confidence.learned_models.signature`; empty for
            nothing.
        features_signature: of what their features mean, likewise.
    """

    values: tuple[FilledValue, ...]
    unlikely: tuple[FilledValue, ...]
    weighed_by: str = ""
    features_signature: str = ""


NO_PROPOSALS = Proposals((), ())
