"""Sentences of dictations about a topic, for what the flowsheet has no row for. Nobody confirmed them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from app.asking.answer import Answer, Kind, Quoted
from app.asking.figures.amounts import local, minute
from app.asking.heads import quotes_head
from app.asking.leaves import Source
from app.store.questions import Dictated
from extraction.language.sentences import Segment, segment
from extraction.language.vocabulary.words import stems
from extraction.questions.query import Quote
from extraction.questions.ward import WardPatient

# How alike a topic and each of several sentences are, -1 to 1.
Similarity = Callable[[str, Sequence[str]], Sequence[float]]
_ALIKE = 0.45
_MOST = 20  # sentences


def quotes(
    query: Quote, subjects: Sequence[WardPatient], source: Source, similarity: Similarity | None, now: datetime
) -> Answer:
    """The sentences with all words of the topic, of the latest dictations; without any, those that are like it."""
    known = {one.id: one for one in subjects}
    dictations = list(source.dictated(sorted(known), minute(query.window.since), minute(query.window.until)))
    said = [(dictated, sentence) for dictated in dictations for sentence in segment(dictated.text)]
    wanted = stems(query.topic)
    found = [(dictated, one) for dictated, one in said if wanted and wanted <= stems(one.text)]
    if not found and similarity and said:
        scores = similarity(query.topic, [one.text for _, one in said])
        found = [pair for pair, score in zip(said, scores, strict=True) if score >= _ALIKE]
    quoted = [_quoted(dictated, one, known[dictated.patient_id]) for dictated, one in found]
    patients = len({one.patient_id for one in quoted})
    head = quotes_head(query, len(quoted), patients, min(len(quoted), _MOST))
    return Answer(Kind.QUOTES, head, query, now, quotes=tuple(quoted[:_MOST]), ordered=True)


def _quoted(dictated: Dictated, sentence: Segment, patient: WardPatient) -> Quoted:
    spoken = [second for start, second in dictated.words if start >= sentence.start]
    return Quoted(
        patient.id,
        patient.name,
        patient.bed or "",
        sentence.text,
        dictated.dictation_id,
        dictated.name,
        local(dictated.at),
        sentence.start,
        sentence.end,
        spoken[0] if spoken else None,
    )
