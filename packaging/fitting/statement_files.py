"""Files of sentences that state a value of a bedside concept, or only seem to: one JSON object a line.

    {"concept": "cough", "option": "Productive", "sentence": "...", "words": "...", "holds": true, "why": ""}

`words` say the value, or seem to; `why` says why a value does not hold, one of REASONS. A concept without options holds
a number, a time or a text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extraction.flowsheet.naming.row_concepts import Concept
from models.base.errors import InputError

REASONS = ("negated", "history", "plan", "other", "other_row", "degree", "question")
_TEXTS = ("concept", "option", "sentence", "words", "why")


@dataclass(frozen=True, slots=True)
class StatedSentence:
    """A sentence and what it states, or only seems to.

    Attributes:
        option: empty for a concept without options.
        why: why the value does not hold; empty if it does.
    """

    concept: str
    option: str
    sentence: str
    words: str
    why: str

    @property
    def holds(self) -> bool:
        return not self.why


def read_statements(path: Path, concepts: Mapping[str, Concept]) -> list[StatedSentence]:
    """Reads a file.

    Raises:
        InputError: a line is no such object, or names an unknown concept, option or reason. OSError.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            given = json.loads(line)
            one = StatedSentence(**{name: str(given[name]) for name in _TEXTS})
        except (ValueError, KeyError, TypeError) as error:
            raise _invalid(path, number, f"it needs {', '.join(_TEXTS)} and holds") from error
        if fault := _fault(one, given, concepts):
            raise _invalid(path, number, fault)
        found.append(one)
    return found


def _fault(one: StatedSentence, given: Mapping[str, Any], concepts: Mapping[str, Concept]) -> str | None:
    concept = concepts.get(one.concept)
    if concept is None:
        return f"no concept is called “{one.concept}”"
    if bool(one.option) != bool(concept.options) or (one.option and one.option not in concept.options):
        return f"{one.concept} has no option “{one.option}”"
    if not one.words or one.words not in one.sentence:
        return f"“{one.words}” is not in the sentence"
    if given.get("holds") is not one.holds or (one.why and one.why not in REASONS):
        return f"“why” must be empty if it holds, or else one of {', '.join(REASONS)}"
    return None


def _invalid(path: Path, number: int, fault: str) -> InputError:
    return InputError(f"Line {number} of {path.name} cannot be used: {fault}.", "Correct the line.")
