"""One exported value, with everything needed to understand it by itself."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class Former:
    """A value that was replaced in the chart: content, dictation, who decided about it and when (UTC in ISO 8601)."""

    value: Value
    unit: str | None
    dictation: int
    reviewer: str
    reviewed_at: str

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{content_words(self.value)}{unit} (dictation {self.dictation}, {self.reviewer}, {self.reviewed_at})"


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """One exported value with everything needed to understand it by itself.

    Attributes:
        time: when it was dictated, UTC in ISO 8601, as are `observed_at`, `observed_since` and `reviewed_at`.
        observed_at: when it was observed; None for the time of the dictation.
        observed_since: start of the period in which it was observed; None if not stated.
        observed_words: the words that state the time; empty if none do.
        category: names from the outermost category inward.
        status: `confirmed`, `edited` or `added`; `computed` for a score based only on such values.
        evidence: the words that state it, or the arithmetic of a score; empty for a value added by hand.
        sentence: the sentence in which they were said; empty without such words.
        proposed, proposed_unit: what was read from these words, if a person corrected it; None otherwise.
        audio_start, audio_end: seconds in the recording; None if it was not spoken.
        replaces: the values it replaced, which were exported before if their dictations were.
        interpretation: HL7 code, see `extraction.flowsheet.ranges.interpretation`; empty if the schema gives no range.
        confirmed_outside: `critical` or `plausible`, the range outside of which a person accepted it when asked a
            second time; None if nobody was asked.
    """

    patient_name: str
    patient_bed: str
    patient_mrn: str
    patient_birth_date: str
    dictation: int
    time: str
    observed_at: str | None
    observed_since: str | None
    observed_words: str
    row_id: str
    category: tuple[str, ...]
    name: str
    value: Value
    unit: str | None
    loinc: str | None
    status: str
    evidence: str
    sentence: str
    proposed: Value | None
    proposed_unit: str | None
    audio_start: float | None
    audio_end: float | None
    reviewer: str
    reviewed_at: str
    schema_id: str
    schema_version: str
    schema_sha256: str
    replaces: tuple[Former, ...] = ()
    interpretation: str = ""
    confirmed_outside: str | None = None


def content_words(content: Value | tuple[Former, ...], between: str = "; ") -> str:
    """The content of a field as shown in a table."""
    if isinstance(content, bool):
        return "Yes" if content else "No"
    if isinstance(content, int | float):
        return repr(content) if isinstance(content, float) and not content.is_integer() else str(int(content))
    return str(content) if isinstance(content, str) else between.join(map(str, content))
