"""SchemaRAG's own strategy: the reduced schema as JSON Schema in the prompt, one JSON object as the answer.

See the paper's appendix B. Decoding is bound by a grammar made of the same JSON Schema, so that no unknown row and no
unknown option can appear. A text or number that was not said is dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from extraction.answers import choices
from extraction.fill import Reading, Task, Window, windows
from extraction.prompts import prompts
from extraction.reduce import Candidate
from extraction.schema import Row, ValueType
from extraction.segment import Segment
from extraction.validate import json_schema
from extraction.values import Value
from models.generate import Generation, generate
from models.llm import LlamaRuntime
from models.progress import CancelledCallback, ProgressCallback

_MAX_TOKENS = 800
_SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.YES_NO)


class JsonFiller:
    """One JSON object per window of the transcript."""

    name = "json"

    def __init__(self, llm: LlamaRuntime) -> None:
        self._llm = llm
        self._prompts = prompts("json")

    def read(self, task: Task, progress: ProgressCallback, cancelled: CancelledCallback) -> list[Reading]:
        from llama_cpp.llama_grammar import json_schema_to_gbnf

        readings: list[Reading] = []
        for window in windows(task):
            asked = [c for c in window.candidates if task.schema.row(c.row_id).unit_of is None]
            rows = [task.schema.row(candidate.row_id) for candidate in asked]
            schema = reduced_json_schema(rows)
            before = self._prompts["before"].replace("{schema}", json.dumps(schema, ensure_ascii=False))
            self._llm.set_prefix(before, window.text, self._prompts["after"], cancelled)
            grammar = json_schema_to_gbnf(json.dumps(schema))
            generation = generate(self._llm, grammar, max_tokens=_MAX_TOKENS, progress=progress, cancelled=cancelled)
            readings += _readings(task, window, asked, generation)
        return readings


def reduced_json_schema(rows: Sequence[Row]) -> dict[str, Any]:
    """The rows as SchemaRAG shows them: an object per category, a property per row, none required."""
    categories: dict[str, Any] = {}
    for row in rows:
        category = categories.setdefault(
            " / ".join(row.category), {"type": "object", "properties": {}, "additionalProperties": False}
        )
        category["properties"][row.name] = json_schema(row)
    return {"type": "object", "properties": categories, "additionalProperties": False}


def _readings(task: Task, window: Window, asked: Sequence[Candidate], generation: Generation) -> Iterator[Reading]:
    """The rows of the generated object; an object cut off by the token limit yields the rows that it completed."""
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
            known, kept, span = _said(task, row, candidate, value)
            if known:
                probability = math.exp(mean)
                yield Reading(row, candidate, kept, segment, span, probability, probability, 1.0, mean)


def _said(task: Task, row: Row, candidate: Candidate, value: Any) -> tuple[bool, Value, tuple[int, int] | None]:
    """Whether the value was said or is an option, as the row keeps it, and where it was said."""
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
            for choice in choices(row, segments, task.today):
                if choice.value == (float(value) if isinstance(value, int | float) else value):
                    return True, choice.value, choice.span
    return False, "", None


def _parsed(text: str) -> dict[str, Any]:
    """The object, or where it was cut off, the longest beginning of it that can be closed."""
    for end in range(len(text), 0, -1):
        for closing in ("", "}", "}}"):
            try:
                parsed = json.loads(text[:end].rstrip().rstrip(",") + closing)
            except json.JSONDecodeError:
                continue
            return parsed if isinstance(parsed, dict) else {}
    return {}
