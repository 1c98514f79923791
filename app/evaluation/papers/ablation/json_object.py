"""SchemaRAG's own strategy: the reduced schema as JSON Schema in the prompt, one JSON object as the answer.

See the paper's appendix B. A grammar generated from the same JSON Schema constrains decoding, so that no unknown row or
option can appear. A text or number that was not said is dropped.

Optional worked examples precede the dictation (few-shot), and optionally the model is shown its answer once more to
fill in what it missed (the second pass of MasonNLP, section 4.7, without its removals).
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from app.evaluation.papers.ablation.generation import Generation, generate
from extraction.annotation.case_files import Case
from extraction.filling.closed_answers import choices
from extraction.filling.prompts import read_prompts
from extraction.filling.task import Reading, Task, TextWindow, windows
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.validation import json_schema
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment
from extraction.retrieval.candidates import Candidate
from models.base.progress import ProgressMonitor
from models.runtimes.llm import LlamaRuntime

_PROMPTS = Path(__file__).with_name("prompts") / "json.toml"
_MAX_TOKENS = 800
_WINDOW_WORDS = 500  # as many as fit with their values in the answer
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO)


class JsonFiller:
    """One JSON object per window of the transcript.

    Args:
        shots: annotated dictations shown with their answers before the one to be read, in order.
        audit: whether the model sees its answer and may fill rows that it left out.
    """

    name = "json"

    def __init__(self, llm: LlamaRuntime, shots: Sequence[Case] = (), *, audit: bool = False) -> None:
        self._llm = llm
        self._prompts = read_prompts(_PROMPTS)
        self._shots = shots
        self._audit = audit

    def read(self, task: Task, monitor: ProgressMonitor) -> list[Reading]:
        return [
            reading for window in windows(task, _WINDOW_WORDS) for reading in self._read_window(task, window, monitor)
        ]

    def _read_window(self, task: Task, window: TextWindow, monitor: ProgressMonitor) -> list[Reading]:
        asked = [c for c in window.candidates if task.schema.row(c.row_id).unit_of is None]
        before = self._before([task.schema.row(candidate.row_id) for candidate in asked], self._shots)

        def answered(candidates: Sequence[Candidate], after: str) -> Generation:
            self._llm.set_prefix(before, [window.text], after, monitor.cancelled)
            rows = [task.schema.row(candidate.row_id) for candidate in candidates]
            return _generate_object(self._llm, rows, monitor)

        first = answered(asked, self._prompts["after"])
        readings = list(_readings(task, window, asked, first))
        filled = {reading.row.id for reading in readings}
        left = [candidate for candidate in asked if candidate.row_id not in filled]
        if self._audit and left:
            second = answered(left, self._prompts["after"] + self._audit_text(_parsed(first.text)))
            readings += _readings(task, window, left, second)
        return readings

    def fitting(self, text: str, rows: Sequence[Row]) -> tuple[int, int]:
        """How many of `rows` and of the shots, each counted from the start, fit into the context with `text`.

        Shots may use half of the space; the number of rows is found by binary search over the token count of the whole
        prompt (SchemaRAG, C.2).
        """
        room = self._llm.context_tokens - _MAX_TOKENS
        if self._audit:
            room -= _MAX_TOKENS + self._length(self._audit_text({}))
        bare = self._length(self._before(rows, ()))
        shots = _largest_fitting(
            len(self._shots), room // 2, lambda count: self._length(self._before(rows, self._shots[:count])) - bare
        )
        kept = self._shots[:shots]
        rest = self._length(text) + self._length(self._prompts["after"])
        return _largest_fitting(
            len(rows), room - rest, lambda count: self._length(self._before(rows[:count], kept))
        ), shots

    def _before(self, rows: Sequence[Row], shots: Sequence[Case]) -> str:
        """The prompt before the dictation."""
        schema = json.dumps(reduced_json_schema(rows), ensure_ascii=False)
        worked = [
            self._prompts["shot"].format(
                text=_without_control_tokens(shot.text),
                answer=_without_control_tokens(json.dumps(_shot_answer(shot, rows))),
            )
            for shot in shots
        ]
        return self._prompts["before"].format(schema=schema, shots="".join(worked))

    def _audit_text(self, answer: dict[str, Any]) -> str:
        return self._prompts["audit"].format(answer=_without_control_tokens(json.dumps(answer, ensure_ascii=False)))

    def _length(self, text: str) -> int:
        return len(self._llm.tokenize(text, special=True))


def reduced_json_schema(rows: Sequence[Row]) -> dict[str, Any]:
    """The rows in SchemaRAG's form: an object per category, a property per row, none required."""
    categories: dict[str, Any] = {}
    for row in rows:
        category = categories.setdefault(
            " / ".join(row.category), {"type": "object", "properties": {}, "additionalProperties": False}
        )
        category["properties"][row.name] = json_schema(row)
    return {"type": "object", "properties": categories, "additionalProperties": False}


def _shot_answer(shot: Case, rows: Sequence[Row]) -> dict[str, Any]:
    """What was charted in a shot, limited to the rows asked, in the form of the model's answer."""
    charted = {it.row_id: it.value for it in shot.observations}
    answer: dict[str, Any] = {}
    for row in rows:
        if row.id in charted:
            answer.setdefault(" / ".join(row.category), {})[row.name] = _number(charted[row.id])
    return answer


def _number(value: Value) -> Value:
    """Whole numbers without decimals, as they are spoken."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _without_control_tokens(text: str) -> str:
    """Breaks up control tokens in spoken or generated text, which is inserted among our own."""
    return text.replace("<|", "< |")


def _largest_fitting(most: int, room: int, length: Callable[[int], int]) -> int:
    """The largest count from 0 to `most` whose length fits into `room`; `length` must be increasing."""
    return max(bisect_right(range(most + 1), room, key=length) - 1, 0)


def _generate_object(llm: LlamaRuntime, rows: Sequence[Row], monitor: ProgressMonitor) -> Generation:
    """Generates an object restricted to `rows` and their permitted values."""
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    grammar = json_schema_to_gbnf(json.dumps(reduced_json_schema(rows)))
    return generate(llm, grammar, max_tokens=_MAX_TOKENS, monitor=monitor)


def _readings(task: Task, window: TextWindow, asked: Sequence[Candidate], generation: Generation) -> Iterator[Reading]:
    """The rows of the generated object; an object cut off by the token limit yields the rows it completed."""
    filled = _parsed(generation.text)
    rows = [task.schema.row(candidate.row_id) for candidate in asked]
    by_place = {(" / ".join(row.category), row.name): place for place, row in enumerate(rows)}
    mean = sum(generation.log_probabilities) / max(len(generation.log_probabilities), 1)
    for category, values in filled.items():
        for name, value in values.items() if isinstance(values, dict) else ():
            place = by_place.get((category, name))
            if place is None:
                continue
            row, candidate = rows[place], asked[place]
            segment = next(s for s in window.segments if s.index == candidate.segment)
            known, kept, span = _find_said(task, row, candidate, value)
            if known:
                probability = math.exp(mean)
                yield Reading(row, candidate, kept, segment, span, probability, probability)


def _find_said(task: Task, row: Row, candidate: Candidate, value: Any) -> tuple[bool, Value, tuple[int, int] | None]:
    """Whether the value was said or is an option, its form in the row, and where it was said."""
    if row.value_type in _SELECTS:
        return True, tuple(value) if isinstance(value, list) else value, None
    near: Sequence[Segment] = [task.segments[hit.segment] for hit in candidate.hits]
    for segments in (near, task.segments):
        if row.value_type is ValueType.TEXT:
            for segment in segments:
                found = segment.text.lower().find(str(value).strip().lower())
                if found >= 0:
                    start = segment.start + found
                    end = start + len(str(value).strip())
                    return True, task.text[start:end], (start, end)
        else:
            for choice in choices(row, segments, task.today, task.times):
                if choice.value == (float(value) if isinstance(value, int | float) else value):
                    return True, choice.value, choice.span
    return False, "", None


def _parsed(text: str) -> dict[str, Any]:
    """The object, or its longest prefix that can be closed if it was cut off."""
    for end in range(len(text), 0, -1):
        for closing in ("", "}", "}}"):
            try:
                parsed = json.loads(text[:end].rstrip().rstrip(",") + closing)
            except json.JSONDecodeError:
                continue
            return parsed if isinstance(parsed, dict) else {}
    return {}
