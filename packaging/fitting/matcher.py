"""Fits the statement matcher (`extraction.estimators.statement_matcher`) to annotated cases and to the concepts' words.

The examples of a case: each annotated value in its sentence is true, the other options of its row and the other numbers
of the sentence are false; so are rows that the sentence retrieved and nobody annotated, above all the nearest ones. An
annotated row whose words are in another sentence gives no example.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.annotation.case_files import Case, Observation
from extraction.estimators.network_weights import NetworkWeights, TokenEncoder
from extraction.estimators.statement_matcher import Statement, TokenCache
from extraction.flowsheet.naming.row_concepts import Concept, concepts
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType, is_yes_no
from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.retrieval.candidates import Candidate
from extraction.retrieval.statements import Sentences
from fitting.network_training import Schedule, batches_of_similar_length, fit_network
from fitting.statement_files import StatedSentence
from models.base.progress import ProgressMonitor
from models.hardware import has_bfloat16

if TYPE_CHECKING:
    import torch

    from extraction.estimators.matcher_network import Batch

_SEED = 20260101
_EPOCHS = 3
_BATCH = 128
_RATE, _WARMUP = 2e-3, 200  # learning rate, batches
_FROM_CONCEPTS = 60_000  # of some 150,000 examples
# Negative examples from rows without annotation: the nearest ones, as many others, and two values of each.
_NEAREST, _OTHERS, _VALUES = 30, 30, 2
_ROWS = 2  # names of a concept with which a sentence is taught
_ROW_UNKNOWN = ("negated", "history")  # reasons
_PLACES = 2  # sentences of an annotated value
_ALONE = 0.2  # share of the concepts' forms without a word for the concept
_SORTED_AT_ONCE = 40  # batches
_REPORTED = 200  # batches between two reports


@dataclass(frozen=True, slots=True)
class Example:
    """A statement and whether it is true."""

    statement: Statement
    is_true: bool


def examples_of(schema: Schema, cases: Sequence[tuple[Case, Sequence[Segment], Sequence[Candidate]]]) -> list[Example]:
    """What annotated cases, with the candidates of each, say about statements."""
    draw = random.Random(_SEED)  # no secret
    return [one for case, segments, found in cases for one in _of_case(schema, case, segments, found, draw)]


def _of_case(
    schema: Schema, case: Case, segments: Sequence[Segment], candidates: Sequence[Candidate], draw: random.Random
) -> Iterator[Example]:
    sentences = Sentences(segments)
    annotated: dict[str, list[Observation]] = {}
    for one in (*case.observations, *(case.acceptable or ())):
        annotated.setdefault(schema.row(one.row_id).unit_of or one.row_id, []).append(one)
    others = []
    for candidate in candidates:
        row = schema.row(candidate.row_id)
        if row.id not in annotated:
            others.append(candidate)
            continue
        own = [one for one in annotated[row.id] if one.row_id == row.id]
        for one in own:
            for place in _places(sentences, candidate, one.words)[:_PLACES]:
                yield Example(sentences.statement(place, row.name), is_true=True)
                yield from _values(sentences, place, row, one, own)
    others.sort(key=lambda one: -one.hits[0].fit)
    far = others[_NEAREST:]
    for candidate in (*others[:_NEAREST], *draw.sample(far, min(_OTHERS, len(far)))):
        row, place = schema.row(candidate.row_id), candidate.segment
        yield Example(sentences.statement(place, row.name), is_true=False)
        possible = list(_possible(sentences, place, row))
        for value, said in draw.sample(possible, min(_VALUES, len(possible))):
            yield Example(sentences.statement(place, row.name, value, said), is_true=False)


def _places(sentences: Sentences, candidate: Candidate, words: str) -> list[int]:
    """The candidate's sentences with the words; its best one if the words are not known."""
    if not words:
        return [candidate.segment]
    return [hit.segment for hit in candidate.hits if words.casefold() in sentences.text(hit.segment).casefold()]


def _values(
    sentences: Sentences, place: int, row: Row, stated: Observation, annotated: Sequence[Observation]
) -> Iterator[Example]:
    """The possible values of an annotated row; those that another annotation of the row states are left out."""
    own = set(_written(stated.value))
    all_stated = {value for one in annotated for value in _written(one.value)}
    if row.value_type is ValueType.TEXT:
        start = sentences.text(place).casefold().find(stated.words.casefold()) if stated.words else -1
        if start >= 0:
            yield Example(sentences.statement(place, row.name, said=(start, start + len(stated.words))), is_true=True)
        return
    for value, said in _possible(sentences, place, row):
        if row.options or is_yes_no(row):
            is_true, is_known = value.casefold() in own, value.casefold() in all_stated
            if is_true or not is_known:
                yield Example(sentences.statement(place, row.name, value), is_true=is_true)
        else:
            assert said is not None
            is_true = bool(_number(sentences, place, said) & all_stated)
            yield Example(sentences.statement(place, row.name, said=said), is_true=is_true)


def _possible(sentences: Sentences, place: int, row: Row) -> Iterator[tuple[str, Span | None]]:
    """The values that a sentence may state of a row, and where a number or text would be said."""
    if row.options:
        yield from ((option.name, None) for option in row.options)
    elif is_yes_no(row):
        yield from (("yes", None), ("no", None))
    elif row.value_type in NUMBER_TYPES:
        yield from (("", (one.start, one.end)) for one in numbers(sentences.text(place)))
    elif row.value_type is ValueType.TEXT:
        yield from (("", clause) for clause in clauses(sentences.text(place)))


def _number(sentences: Sentences, place: int, said: Span) -> set[str]:
    return {_plain(one.value) for one in numbers(sentences.text(place)) if overlap((one.start, one.end), said)}


def _written(value: object) -> Iterator[str]:
    """A value as `_possible` and `_number` write it; both parts of a blood pressure."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, bool):
            yield "yes" if one else "no"
        elif isinstance(one, int | float):
            yield _plain(one)
        else:
            yield str(one).casefold()
            yield from str(one).split("/")


def _plain(number: float) -> str:
    return f"{number:g}"


def examples_of_concepts() -> list[Example]:
    """What is said of the bedside concepts: their forms state them and their option, and no other."""
    draw = random.Random(_SEED)  # no secret
    known = list(concepts().values())
    found = []
    for concept in known:
        cues = (*concept.said, *concept.rows[:3])
        for option, forms in concept.options.items():
            others = [other for other in concept.options if other != option]
            for form in (option, *forms):
                said = _said(draw.choice(cues), form, draw)
                found += [
                    Example(Statement(said, "", draw.choice(concept.rows), option), is_true=True),
                    Example(Statement(said, "", draw.choice(concept.rows)), is_true=True),
                ]
                if others:
                    found.append(
                        Example(Statement(said, "", draw.choice(concept.rows), draw.choice(others)), is_true=False)
                    )
                if (other := draw.choice(known)).id != concept.id:
                    found.append(Example(Statement(said, "", draw.choice(other.rows)), is_true=False))
    return draw.sample(found, min(_FROM_CONCEPTS, len(found)))


def examples_of_sentences(sentences: Sequence[StatedSentence]) -> list[Example]:
    """What sentences that state a value of a concept, or only seem to, say about rows with some of its names.

    Whether a row is stated where its value is denied, or was another one before, is left open.
    """
    draw = random.Random(_SEED)  # no secret
    known = concepts()
    return [
        example
        for one in sentences
        for row in draw.sample(known[one.concept].rows, min(_ROWS, len(known[one.concept].rows)))
        for example in _of_sentence(one, row, known[one.concept], draw)
    ]


def _of_sentence(one: StatedSentence, row: str, concept: Concept, draw: random.Random) -> Iterator[Example]:
    start = one.sentence.find(one.words)
    words = (start, start + len(one.words))
    if one.option:
        yield Example(Statement(one.sentence, "", row, one.option), is_true=one.holds)
    else:
        yield Example(Statement(one.sentence, "", row, said=words), is_true=one.holds)
    if one.why not in _ROW_UNKNOWN:
        yield Example(Statement(one.sentence, "", row), is_true=one.holds or one.why == "degree")
    if not one.holds:
        return
    others = [option for option in concept.options if option != one.option]
    for option in draw.sample(others, min(_VALUES, len(others))):
        yield Example(Statement(one.sentence, "", row, option), is_true=False)
    if not one.option:
        for said in numbers(one.sentence):
            if not overlap((said.start, said.end), words):
                yield Example(Statement(one.sentence, "", row, said=(said.start, said.end)), is_true=False)


def _said(cue: str, form: str, draw: random.Random) -> str:
    if draw.random() < _ALONE:
        return form
    return draw.choice((f"{cue} {form}", f"{cue}: {form}", f"{form} {cue}", f"{cue} is {form}"))


def fit_matcher(
    examples: Sequence[Example], tokens: TokenCache, encoder: TokenEncoder, monitor: ProgressMonitor
) -> NetworkWeights:
    """Fits the network to examples; raises Cancelled."""
    import torch

    from extraction.estimators.matcher_network import MatcherNetwork, batch_of

    def loss_of(network: MatcherNetwork, batch: Sequence[Example]) -> torch.Tensor:
        known = batch_of(tokens.pairs([one.statement for one in batch]))
        return _loss(network, known, torch.tensor([float(one.is_true) for one in batch]))

    schedule = Schedule(_EPOCHS, _RATE, _WARMUP, _REPORTED, "fitting which words state a row")
    return fit_network(
        lambda: MatcherNetwork(encoder.token_inputs), lambda draw: _batches(examples, draw), loss_of, schedule, monitor
    )


def _loss(network: torch.nn.Module, batch: Batch, labels: torch.Tensor) -> torch.Tensor:
    import torch

    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_bfloat16()):
        found = network(batch)
    return torch.nn.functional.binary_cross_entropy_with_logits(found.float(), labels)


def _batches(examples: Sequence[Example], draw: random.Random) -> list[list[Example]]:
    """All examples in random order, in batches of similar length."""
    found = batches_of_similar_length(examples, lambda one: _length(one.statement), _BATCH, _SORTED_AT_ONCE, draw)
    draw.shuffle(found)
    return found


def _length(statement: Statement) -> int:
    return len(statement.sentence) + len(statement.row) + len(statement.value)
