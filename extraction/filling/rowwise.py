"""Row-by-row filling: one shared prefix, every candidate row a closed question, all decoded as one batch.

This is ReDD's attribute-by-attribute extraction (section 3.1) for a local model: the dictation is read once, sentence
by sentence, and each row is asked right after the sentence that retrieved it, over the text up to there, with its own
closed set of answers (`extraction.filling.closed_answers`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from extraction.filling.closed_answers import Choice, choices
from extraction.filling.prompts import prompts
from extraction.filling.settled_rows import is_settled
from extraction.filling.task import Reading, Task, TextWindow, windows
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import counts
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import best_share, stems
from extraction.retrieval.candidates import Candidate
from models.base.progress import ProgressMonitor
from models.runtimes.closed_questions import Answer, Question, ask
from models.runtimes.llm import LlamaRuntime

# A select value is considered if this share of its words is in the sentence, if it has this probability, or this share
# of the row's exemplars.
_WORDS_SAID = 0.5
_WEIGHT = 0.1
_PRECEDENT = 0.1
_MOST_STRETCHES = 6
# Of 178 rows asked in two dictations, 109 had a higher prior than this, and so did 77 of the 93 that had a value.
_LIKELY = 0.3
WINDOW_WORDS = 1000  # read at once: a dictation of a few minutes
# Numbers, times and text spans below this are not considered.
_LEAST_PROBABILITY = 0.01
_OPTIONS_SHOWN = 8  # of 165 values of short utterances 139 were read right, 136 with five
_KINDS = {
    ValueType.TIME: "time",
    ValueType.DATE: "date",
    ValueType.DATE_TIME: "date and time",
    ValueType.BLOOD_PRESSURE: "systolic/diastolic",
}
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO)


class AnswerKey(NamedTuple):
    """Cache key: a question, the sentence it follows, and how often that was said before.

    Both are case-folded, because Whisper's capitalisation is inconsistent.
    """

    sentence: str
    before: int
    question: Question


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A row with its choices, and the sentence after which it is asked; answer 0 of the question is 'not mentioned'."""

    row: Row
    candidate: Candidate
    segment: Segment
    after_sentence: Segment
    choices: tuple[Choice, ...]

    @property
    def question(self) -> Question:
        """The question, without its place."""
        row, texts = self.row, prompts()
        if row.value_type in _SELECTS:
            prompt = texts["select"].format(name=row.name, options=_listed_options(self))
        elif row.value_type in (ValueType.NUMERIC, ValueType.QUANTITY):
            unit = f" in {row.unit}" if row.unit and not counts(row.unit) else ""
            prompt = texts["number"].format(name=row.name, unit=unit)
        elif row.value_type in _KINDS:
            prompt = texts["said"].format(name=row.name, kind=_KINDS[row.value_type])
        else:
            prompt = texts["text"].format(name=row.name)
        answers = (f" {texts['not_mentioned']}", *(f" {choice.text}" for choice in self.choices))
        return Question(prompt, answers, aside=0)


class RowwiseFiller:
    """The default strategy."""

    name = "rowwise"

    def __init__(self, llm: LlamaRuntime) -> None:
        self._llm = llm

    def read(self, task: Task, monitor: ProgressMonitor) -> list[Reading]:
        """Reads a text that is there at once."""
        return self.read_on(task, {}, None, monitor)[0]

    def read_on(
        self,
        task: Task,
        kept: dict[AnswerKey, Answer],
        most: int | None,
        monitor: ProgressMonitor,
    ) -> tuple[list[Reading], int]:
        """Reads a growing text: asks up to `most` questions without an answer in `kept`, and stores the answers.

        Likely rows come first: they hold most values, and text that may still change is then rarely asked about twice.
        A question is answered over the text available at the time; a change of capitalisation alone asks nothing new.
        None as `most` asks all of them. Returns all readings with answers, in the order of the candidates, and the
        number of open questions.
        """
        readings: list[Reading] = []
        before = _said_before(task.segments)
        left = 0
        for window in windows(task, WINDOW_WORDS):
            items = asked_rows(task, window)
            as_said = [_key(item, before[item.after_sentence.index]) for item in items]
            open_ones: dict[AnswerKey, AskedRow] = {}
            for item, said in sorted(zip(items, as_said, strict=True), key=lambda one: _turn(one[0])):
                if said not in kept:
                    open_ones.setdefault(said, item)
            if now := list(open_ones)[:most]:
                answers = self._ask(window, [open_ones[said] for said in now], monitor)
                kept.update(zip(now, answers, strict=True))
                most = None if most is None else 0  # later windows need another prefix and must wait
            left += len(open_ones) - len(now)
            readings += [
                reading
                for item, said in zip(items, as_said, strict=True)
                if (answer := kept.get(said))
                for reading in _readings_of(item, answer)
            ]
        return readings, left

    def _ask(self, window: TextWindow, items: Sequence[AskedRow], monitor: ProgressMonitor) -> list[Answer]:
        before, sentences = prefix_of(window)
        ends = self._llm.set_prefix(before, sentences, "", monitor.cancelled)
        place_of = {segment.index: end for segment, end in zip(window.segments, ends, strict=True)}
        questions = [replace(item.question, place=place_of[item.after_sentence.index]) for item in items]
        return ask(self._llm, questions, monitor)


def _said_before(segments: Sequence[Segment]) -> dict[int, int]:
    """By index of a segment, how often its words were said before."""
    said = Counter[str]()
    before = {}
    for segment in segments:
        words = segment.text.casefold()
        before[segment.index] = said[words]
        said[words] += 1
    return before


def _key(item: AskedRow, before: int) -> AnswerKey:
    question = item.question
    answers = tuple(answer.casefold() for answer in question.answers)
    return AnswerKey(item.after_sentence.text.casefold(), before, replace(question, answers=answers))


def _turn(item: AskedRow) -> tuple[bool, int]:
    """The order in which rows are asked."""
    return item.candidate.prior < _LIKELY, item.after_sentence.index


def _readings_of(item: AskedRow, answer: Answer) -> list[Reading]:
    return [_reading(item, answer, place, rank) for rank, place in enumerate(_places_to_read(item, answer))]


def _worth_considering(item: AskedRow, answer: Answer) -> list[int]:
    """Indices of the values to consider.

    The chosen one, and others with enough probability, words in the sentence, or exemplars.
    """
    if not item.row.options:
        return [
            place
            for place in range(1, len(item.choices) + 1)
            if place == answer.index or answer.probabilities[place] >= _LEAST_PROBABILITY
        ]
    said = stems(item.segment.text)
    precedent = item.candidate.hits[0].precedent
    past = {value: share for value, share, _, _ in precedent.values} if precedent else {}
    worth = []
    for place, option in enumerate(item.row.options, start=1):
        words = best_share(option.forms, said)
        if (
            place == answer.index
            or words >= _WORDS_SAID
            or answer.probabilities[place] >= _WEIGHT
            or past.get(option.name, 0.0) >= _PRECEDENT
        ):
            worth.append(place)
    return worth


def _places_to_read(item: AskedRow, answer: Answer) -> list[int]:
    """Indices of the values that become readings: the chosen one first, then the likeliest.

    The spans of a text row overlap, so only a few are kept.
    """
    length = [len(choice.text) for choice in item.choices]
    places = sorted(
        _worth_considering(item, answer),
        key=lambda place: (place != answer.index, -answer.probabilities[place], -length[place - 1]),
    )
    return places[:_MOST_STRETCHES] if item.row.value_type is ValueType.TEXT else places


def _listed_options(item: AskedRow) -> str:
    """The options as listed in the question: of a long list, those with words in the sentence, filled up from the top.

    Every option can still be answered.
    """
    texts = [choice.text for choice in item.choices]
    if len(texts) > _OPTIONS_SHOWN and item.row.options:
        said = stems(item.segment.text)
        words = [best_share(option.forms, said) for option in item.row.options]
        best = sorted(range(len(texts)), key=lambda place: (-words[place], place))[:_OPTIONS_SHOWN]
        texts = [texts[place] for place in sorted(best)]
    return " | ".join(texts)


def prefix_of(window: TextWindow) -> tuple[str, list[str]]:
    """The prompt before the dictation, and each sentence as it is read."""
    texts = prompts()
    return texts["before"], [texts["sentence"].format(sentence=segment.text) for segment in window.segments]


def settled_rows(task: Task) -> set[tuple[str, int]]:
    """The rows that are not asked because of what was measured, each with the index of its segment."""

    def asked(of: Task) -> set[tuple[str, int]]:
        items = (item for window in windows(of, WINDOW_WORDS) for item in asked_rows(of, window))
        return {(item.row.id, item.segment.index) for item in items}

    return asked(replace(task, measured=())) - asked(task) if task.measured else set()


def asked_rows(task: Task, window: TextWindow) -> list[AskedRow]:
    """The rows that are asked about a window, in the order of the candidates."""
    return [item for candidate in window.candidates if (item := _asked_row(task, window, candidate))]


def _asked_row(task: Task, window: TextWindow, candidate: Candidate) -> AskedRow | None:
    """The question for a candidate; None without choices, for a unit row, which follows its number, and for a row that
    what was measured has settled.
    """
    row = task.schema.row(candidate.row_id)
    if row.unit_of is not None:
        return None
    first = window.segments[0].index
    best = candidate.segment - first
    if row.value_type in _SELECTS:
        near: Sequence[Segment] = ()
    elif row.value_type is ValueType.TEXT:
        near = window.segments[best : best + 1]
    else:  # the number may be in the sentence after the one that names the row
        order = dict.fromkeys(
            place for hit in candidate.hits for place in (hit.segment - first + step for step in (0, 1))
        )
        near = [window.segments[place] for place in order if 0 <= place < len(window.segments)]
    set_aside = prompts()["not_mentioned"]
    possible = choices(row, near, task.today, task.times)
    found = tuple(choice for choice in possible if not choice.text.lower().startswith(set_aside))
    if not found or is_settled(task, candidate, found):
        return None
    after_sentence = next((one for one in near if _says_one_of(one, found)), window.segments[best])
    return AskedRow(row, candidate, window.segments[best], after_sentence, found)


def _says_one_of(segment: Segment, possible: Sequence[Choice]) -> bool:
    return any(choice.span and segment.start <= choice.span[0] < segment.end for choice in possible)


def _reading(item: AskedRow, answer: Answer, place: int, rank: int) -> Reading:
    """One value of a row, even if 'not mentioned' was likelier; whether to propose it is decided later."""
    mentioned = 1.0 - answer.probabilities[0]
    shares = [share / mentioned if mentioned > 0 else 0.0 for share in answer.probabilities[1:]]
    own = shares.pop(place - 1)
    choice = item.choices[place - 1]
    return Reading(
        row=item.row,
        candidate=item.candidate,
        value=(str(choice.value),) if item.row.value_type is ValueType.MULTI_SELECT else choice.value,
        segment=item.segment,
        span=choice.span,
        mentioned=mentioned,
        probability=min(own, 1.0),
        rank=rank,
        lead=own - max(shares, default=0.0),
        permitted_mass=answer.permitted_mass,
        states=answer.states,
    )
