"""Where the values of an answer come from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from app.asking.answer import Answer, Citation
from app.asking.figures.amounts import local, row_of, text_of
from app.store import Store
from app.store.questions import Questions
from extraction.flowsheet.schema import Schema

MOST = 600  # values that an answer cites; those of a larger one are cited when they are asked for
_MOST_RECORDINGS = 50  # dictations whose transcripts are read at once for the seconds of their words


def cited(answer: Answer, store: Store, schema: Schema, flagged: Collection[int] = ()) -> Answer:
    """The answer with the citations of its values, also of those last charted of a patient and of flagged ones.

    An answer from more than `MOST` values has none; see `citations_of`.
    """
    ids = {*answer.value_ids, *answer.could_change, *(one.value_id for one in answer.not_charted if one.value_id)}
    ids.update(one.value_id for part in answer.parts for one in part.not_charted if one.value_id)
    if not 0 < len(ids) <= MOST:
        return answer
    flagged = {*flagged, *answer.could_change, *_flagged(answer)}
    citations = citations_of(ids, store.questions, schema, flagged)
    if len({one.transcript_id for one in citations.values()}) <= _MOST_RECORDINGS:
        citations = with_seconds(citations, store.questions)
    return replace(answer, citations=citations)


def citations_of(
    value_ids: Iterable[int], questions: Questions, schema: Schema, flagged: Collection[int] = ()
) -> dict[int, Citation]:
    """By id, where charted values come from, without seconds."""
    facts = questions.by_ids(value_ids)
    sources = questions.sources([fact.value_id for fact in facts])
    found = {}
    for fact in facts:
        source = sources[fact.value_id]
        said = source.evidence
        found[fact.value_id] = Citation(
            fact.value_id,
            fact.patient_id,
            fact.dictation_id,
            source.dictation,
            fact.row_id,
            row_of(schema, fact.row_id).name,
            text_of(fact, schema),
            local(fact.at),
            fact.said,
            fact.signer,
            fact.signed_at,
            source.transcript_id,
            said.start if said else None,
            said.end if said else None,
            said.text if said else "",
            flagged=fact.value_id in flagged,
        )
    return found


def with_seconds(citations: Mapping[int, Citation], questions: Questions) -> dict[int, Citation]:
    """Citations with the seconds of their recordings."""
    wanted = {one.transcript_id for one in citations.values() if one.transcript_id is not None}
    transcripts = dict(questions.transcripts(wanted))
    found = {}
    for value_id, one in citations.items():
        transcript = transcripts.get(one.transcript_id or 0)
        span = None
        if transcript and one.start is not None and one.end is not None:
            span = transcript.audio_span(one.start, one.end)
        found[value_id] = replace(one, second=span[0]) if span else one
    return found


def _flagged(answer: Answer) -> set[int]:
    return {
        value_id
        for one in (answer, *answer.parts)
        for line in one.lines
        for cell in line.cells
        if cell.flagged and len(cell.value_ids) == 1
        for value_id in cell.value_ids
    }
