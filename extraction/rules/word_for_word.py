"""Rule: options that were said word for word.

A score is only as right as its parts, and a small model may mistake "very limited" for "completely limited". If the
sentence of a part says exactly one of its options word for word, that option is proposed, and both are named. For rows
outside formulas this requires an option of several words ("no known drug allergies"). If the sentence names the score,
a held-back part is proposed if it was stated explicitly ("Braden: moisture 4, activity 2").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from extraction.filling.evidence import SaidIn, located
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.formulas import number_of
from extraction.flowsheet.naming.option_mentions import longest
from extraction.flowsheet.naming.row_words import ScorePart, score_parts
from extraction.flowsheet.schema import Option, Row, ValueType
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, promoted, replaced

# points at the beginning or end of an option's name: '3 - To speech', '1 Bedfast', 'Weak (10)'
_POINTS = re.compile(r"^[+-]?\d+\s*-?\s+|\s*\([+-]?\d+\)$")
_BETWEEN = r"(?:\s+(?:is|was|of|at|now|score|total)|\s*[:,=])*\s+"
_YES_NO = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_SEVERAL = 3  # words; shorter options may be said in another sense
_SHORTEST = 4  # characters; 'No' and 'Yes' have other uses


def word_for_word(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Replaces values by the options said word for word, and promotes held-back parts and totals.

    A held-back number is promoted if it was said right after the name of its row.
    """
    schema = task.schema
    parts, totals = score_parts(schema), {row.id for row in schema.rows if row.formula}
    for value in proposals.values:
        if change := _literal_option(task, value, parts.get(value.row_id)):
            yield change
    filled = {value.row_id for value in proposals.values}
    named: dict[str, FilledValue] = {}
    for value in proposals.held_back:
        row, part = schema.row(value.row_id), parts.get(value.row_id)
        if row.id in filled or (part is None and row.id not in totals):
            continue
        said = SaidIn.of(task, value.evidence)
        if _follows_name(row, said) or (part is not None and _is_stated(row, part, value, said.sentence)):
            named.setdefault(row.id, value)
    yield from map(promoted, named.values())


def _follows_name(row: Row, said: SaidIn) -> bool:
    """Whether a number follows right after the name of its row: 'a MAP of 95'."""
    if row.value_type not in (ValueType.NUMERIC, ValueType.QUANTITY):
        return False
    names = "|".join(map(re.escape, sorted((row.name, *row.synonyms), key=len, reverse=True)))
    return re.search(rf"(?<!\w)(?:{names}){_BETWEEN}$", said.sentence[: said.start], re.IGNORECASE) is not None


def _is_stated(row: Row, part: ScorePart, value: FilledValue, sentence: str) -> bool:
    """Whether a sentence that names the score states this value of the part.

    By the points after the part's name, by yes or no there, or by the only option that is said.
    """
    if not part.score & stems(sentence):
        return False
    for start, end in _own_clauses(sentence, part):
        clause = sentence[start:end]
        if row.value_type is ValueType.YES_NO:
            return [word.lower() == "yes" for word in _YES_NO.findall(clause)] == [value.value]
        said = [number.value for number in numbers(clause)]
        if row.options and len(said) == 1 and said[0] == number_of(part.part, value.value):
            return True
    return {name for name, _, _ in _said_options(row, sentence)} == {value.value}


def _own_clauses(sentence: str, part: ScorePart) -> list[tuple[int, int]]:
    """The clauses with a word of this part's name that no other part has."""
    return [span for span in clauses(sentence) if part.own & stems(sentence[slice(*span)])]


def _literal_option(task: Task, value: FilledValue, part: ScorePart | None) -> Change | None:
    row = task.schema.row(value.row_id)
    if row.value_type is not ValueType.SINGLE_SELECT:
        return None
    said_in = SaidIn.of(task, value.evidence)
    sentence = said_in.sentence
    clauses = _own_clauses(sentence, part) if part else []
    said = [
        (name, a + start, b + start) for start, end in clauses for name, a, b in _said_options(row, sentence[start:end])
    ]
    if len({name for name, _, _ in said}) != 1:
        said = list(_said_options(row, sentence))
    if len({name for name, _, _ in said}) != 1 or said[0][0] == value.value:
        return None
    name, start, end = said[0]
    if part is None and len(sentence[start:end].split()) < _SEVERAL:
        return None
    finding = Finding("word_for_word", (sentence[start:end], str(value.value)))
    return replaced(value, located(task, replace(value, value=name), said_in.evidence(start, end)), finding)


def _said_options(row: Row, sentence: str) -> Iterator[tuple[str, int, int]]:
    """Options that were said, with their characters; of nested mentions, only the longest."""
    found = [
        (option.name, match.span()) for option in row.options for match in _option_pattern(option).finditer(sentence)
    ]
    for name, (start, end) in longest(found):
        yield name, start, end


@lru_cache(maxsize=4096)
def _option_pattern(option: Option) -> re.Pattern[str]:
    names = [_POINTS.sub("", name) for name in (option.name, *option.synonyms)]
    long = sorted((name for name in names if len(name) >= _SHORTEST), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long)) or '(?!)'})(?!\w)", re.IGNORECASE)
