"""Rule: what the speaker said before a value was corrected, and corrections beside it whose target was not found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import Evidence, Proposals
from extraction.language.analysis import analyse
from extraction.language.spans import Span, overlap
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.preparation.self_corrections import Correction
from extraction.rules.changes import Change, flagged


def withdrawn_words(prepared: PreparedTranscript, proposals: Proposals) -> Iterator[Change]:
    """Adds to every value what it replaced."""
    for value in (*proposals.values, *proposals.held_back):
        first, findings = _history(prepared, value.evidence)
        if findings:
            yield flagged(value, *findings, value=replace(value, taken_back=first))


def _history(prepared: PreparedTranscript, evidence: Evidence) -> tuple[tuple[Evidence, ...], list[Finding]]:
    """What was said before a value was corrected, and findings about the correction."""
    replaced = _replaced_by(prepared, (evidence.start, evidence.end))
    first = tuple(_evidence(prepared, one.taken_back) for one in replaced)
    findings = [
        Finding("several_said" if one.is_read else "corrected_from", (said.text,))
        for one, said in zip(replaced, first, strict=True)
    ]
    if any(one.unsure for one in replaced):
        findings.append(Finding("unclear_correction"))
    return first, [*findings, *_unplaced_corrections(prepared, evidence)]


def _replaced_by(prepared: PreparedTranscript, span: Span) -> list[Correction]:
    """The corrections that led to these words, including corrections of corrections, in order."""
    found: list[Correction] = []
    for one in reversed(prepared.corrections):
        if one.instead and any(overlap(one.instead, said) for said in (span, *(later.taken_back for later in found))):
            found.append(one)
    return found[::-1]


def _unplaced_corrections(prepared: PreparedTranscript, evidence: Evidence) -> Sequence[Finding]:
    """A doubt if a correction without a target is within or right after the sentence."""
    for start, end in prepared.unplaced:
        between = prepared.transcript[evidence.sentence_end : start]
        if overlap((start, end), (evidence.sentence_start, evidence.sentence_end)) or (
            evidence.sentence_end <= start and not between.strip(" \t\n,;:.!?…–—-")
        ):
            return [Finding("correction_without_target", (prepared.transcript[start:end],))]
    return []


def _evidence(prepared: PreparedTranscript, span: Span) -> Evidence:
    around = next((one for one in analyse(prepared.transcript).sentences if one.start <= span[0] < one.end), None)
    sentence = (around.start, max(around.end, span[1])) if around else span
    return Evidence(*span, prepared.transcript[span[0] : span[1]], *sentence)
