"""Row by row: one shared prefix, every candidate row a closed question, all decoded as one batch.

This is ReDD's attribute-by-attribute extraction (section 3.1) put to a local model: the dictation is read once, and
each row is asked for next to the sentence that brought it, with its own closed set of answers (`extraction.answers`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extraction.answers import Choice, choices
from extraction.fill import Reading, Task, Window, windows
from extraction.lexical import best_share, stems
from extraction.prompts import prompts
from extraction.reduce import Candidate
from extraction.schema import Row, ValueType
from extraction.segment import Segment
from models.ask import Answer, Question, ask
from models.llm import LlamaRuntime
from models.progress import CancelledCallback, Progress, ProgressCallback

# Below this probability of being mentioned at all, a multi select's other options are not worth asking for.
_ASK_ON = 0.3
_WORDS_SAID = 0.5
_WEIGHT = 0.3
_OPTIONS_SHOWN = 8
_KINDS = {
    ValueType.TIME: "time",
    ValueType.DATE: "date",
    ValueType.DATE_TIME: "date and time",
    ValueType.BLOOD_PRESSURE: "systolic/diastolic",
}
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A row with the choices it was given; choice 0 of the question is 'not mentioned'."""

    row: Row
    candidate: Candidate
    segment: Segment
    choices: tuple[Choice, ...]


class RowwiseFiller:
    """The default strategy."""

    name = "rowwise"

    def __init__(self, llm: LlamaRuntime) -> None:
        self._llm = llm
        self._prompts = prompts("rowwise")
        self._none = " " + self._prompts["not_mentioned"]

    def read(self, task: Task, progress: ProgressCallback, cancelled: CancelledCallback) -> list[Reading]:
        readings: list[Reading] = []
        pieces = list(windows(task))
        for number, window in enumerate(pieces):

            def within(report: Progress, number: int = number) -> None:
                progress(replace(report, fraction=(number + (report.fraction or 0.0)) / len(pieces)))

            readings += self._read_window(task, window, within, cancelled)
        return readings

    def _read_window(
        self, task: Task, window: Window, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> list[Reading]:
        asked = [item for candidate in window.candidates if (item := _asked(task, window, candidate))]
        self._llm.set_prefix(self._prompts["before"], window.text, self._prompts["after"], cancelled)
        answers = ask(self._llm, [self._question(item) for item in asked], progress, cancelled)
        readings = [_reading(item, answer) for item, answer in zip(asked, answers, strict=True)]
        more = [
            (place, choice)
            for place, (item, reading) in enumerate(zip(asked, readings, strict=True))
            if item.row.value_type is ValueType.MULTI_SELECT and reading.mentioned >= _ASK_ON
            for choice in _plausible(item, answers[place])
        ]
        others = ask(self._llm, [self._another(asked[place], choice) for place, choice in more], cancelled=cancelled)
        for place, item in enumerate(asked):
            if item.row.value_type is ValueType.MULTI_SELECT:
                also = [
                    (choice, answer) for (where, choice), answer in zip(more, others, strict=True) if where == place
                ]
                readings[place] = _with_more(item.row, readings[place], also)
        return readings

    def _question(self, item: _Asked) -> Question:
        row, texts = item.row, self._prompts
        if row.value_type in _SELECTS:
            prompt = texts["select"].format(name=row.name, options=_shown(item))
        elif row.value_type in (ValueType.NUMERIC, ValueType.QUANTITY):
            prompt = texts["number"].format(name=row.name, unit=f" in {row.unit}" if row.unit else "")
        elif row.value_type in _KINDS:
            prompt = texts["said"].format(name=row.name, kind=_KINDS[row.value_type])
        else:
            prompt = texts["text"].format(name=row.name)
        answers = (self._none, *(f" {choice.text}" for choice in item.choices))
        return Question(texts["sentence"].format(sentence=item.segment.text), prompt, answers, aside=0)

    def _another(self, item: _Asked, choice: Choice) -> Question:
        prompt = self._prompts["another"].format(name=item.row.name, option=choice.text)
        return Question(
            self._prompts["sentence"].format(sentence=item.segment.text), prompt, (" Yes", " No", self._none)
        )


def _plausible(item: _Asked, answer: Answer) -> list[Choice]:
    """The other options of a multi select that are worth asking for: the sentence has words of them, or the model
    already gave them some weight."""
    said = stems(item.segment.text)
    worth = []
    for place, (choice, option) in enumerate(zip(item.choices, item.row.options, strict=True), start=1):
        words = best_share((option.name, *option.synonyms), said)
        if place != answer.index and (words > _WORDS_SAID or answer.probabilities[place] >= _WEIGHT):
            worth.append(choice)
    return worth


def _shown(item: _Asked) -> str:
    """The options as the question lists them: of a long list, those with words in the sentence, filled up from the
    top. Every option can still be answered."""
    texts = [choice.text for choice in item.choices]
    if len(texts) > _OPTIONS_SHOWN and item.row.options:
        said = stems(item.segment.text)
        words = [best_share((option.name, *option.synonyms), said) for option in item.row.options]
        best = sorted(range(len(texts)), key=lambda place: (-words[place], place))[:_OPTIONS_SHOWN]
        texts = [texts[place] for place in sorted(best)]
    return " | ".join(texts)


def _asked(task: Task, window: Window, candidate: Candidate) -> _Asked | None:
    """The question for a candidate; None for a unit row, which follows its number, and where nothing fits its type."""
    row = task.schema.row(candidate.row_id)
    if row.unit_of is not None:
        return None
    first = window.segments[0].index
    best = candidate.segment - first
    if row.value_type in _SELECTS:
        near: Sequence[Segment] = ()
    elif row.value_type is ValueType.TEXT:
        near = window.segments[best : best + 1]
    else:  # the number may stand in the sentence after the one that names the row
        order = dict.fromkeys(
            place for hit in candidate.hits for place in (hit.segment - first + step for step in (0, 1))
        )
        near = [window.segments[place] for place in order if 0 <= place < len(window.segments)]
    found = choices(row, near, task.today)
    return _Asked(row, candidate, window.segments[best], found) if found else None


def _reading(item: _Asked, answer: Answer) -> Reading:
    """The best value of a row, also where 'not mentioned' was likelier: whether to propose it is decided later."""
    mentioned = 1.0 - answer.probabilities[0]
    best, share = answer.index, answer.probabilities
    choice = item.choices[best - 1]
    alternatives: dict[str, float] = {}
    for place in sorted(range(1, len(share)), key=lambda i: -share[i]):
        text = item.choices[place - 1].text
        if place != best and share[place] >= 0.05:
            alternatives.setdefault(text, share[place])
    return Reading(
        row=item.row,
        candidate=item.candidate,
        value=(str(choice.value),) if item.row.value_type is ValueType.MULTI_SELECT else choice.value,
        segment=item.segment,
        span=choice.span,
        mentioned=mentioned,
        probability=min(share[best] / mentioned, 1.0) if mentioned > 0 else 0.0,
        permitted_mass=answer.permitted_mass,
        log_probability=math.log(max(share[best], 1e-12)),
        alternatives=tuple(alternatives.items())[:3],
    )


def _is_yes(reading: Reading, row: Row, choice: Choice, answer: Answer) -> bool:
    """A further option was said when yes is likelier than everything else, or when its words were all said and the
    model does not say no."""
    option = next(option for option in row.options if option.name == choice.value)
    literal = best_share((option.name, *option.synonyms), stems(reading.segment.text)) == 1.0
    return answer.probabilities[0] > 0.5 or (literal and answer.probabilities[0] > answer.probabilities[1])


def _with_more(row: Row, reading: Reading, also: Sequence[tuple[Choice, Answer]]) -> Reading:
    """A multi select with the further options that were answered with yes, in the schema's order."""
    assert isinstance(reading.value, tuple)
    chosen = {*reading.value, *(str(choice.value) for choice, answer in also if _is_yes(reading, row, choice, answer))}
    alternatives = tuple(
        (choice.text, answer.probabilities[0]) for choice, answer in also if not _is_yes(reading, row, choice, answer)
    )
    return replace(
        reading,
        value=tuple(name for name in row.option_names if name in chosen),
        alternatives=tuple(sorted(alternatives, key=lambda pair: -pair[1])[:3]),
    )
