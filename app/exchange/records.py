"""One exported value, with all that is needed to understand it alone."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class Former:
    """What stood in a value's place in the chart before a person put the value there: content, dictation, and who had
    decided about it when (UTC in ISO 8601)."""

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
    """One exported value with all that is needed to understand it alone.

    Attributes:
        time: when it was dictated, UTC in ISO 8601, as are `observed_at`, `observed_since` and `reviewed_at`.
        observed_at: when it was observed; None where nothing else was said than the time of the dictation.
        observed_since: where a period begins in which it was observed; None where none was said.
        observed_words: the words that said so; empty where none did.
        category: names from the outermost category inward.
        status: `confirmed`, `edited` or `added`; `computed` for a score that rests on such values alone.
        evidence: the words in which it was said, or the arithmetic of a score; empty for a value added by hand.
        audio_start, audio_end: seconds in the recording; None where nothing was spoken.
        replaces: what it took the place of, which was exported before if its dictation was.
        interpretation: HL7's code, see `extraction.flowsheet.ranges.interpretation`; empty where the schema says
            nothing of it.
        confirmed_outside: `critical` or `plausible`, outside of which range a person accepted it, asked a second time;
            None where nobody was.
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
    """What a field holds, as a table shows it."""
    if isinstance(content, bool):
        return "Yes" if content else "No"
    if isinstance(content, int | float):
        return str(int(content)) if content == int(content) else repr(content)
    return content if isinstance(content, str) else between.join(map(str, content))
