"""Adds written-out names of rows, the most specific first, and asks about words that could stand for several things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from extraction.contract.names.expansion import expand_names
from extraction.contract.names.records import Expansion, NamedRow
from extraction.contract.questions import Question
from extraction.contract.records import Alias, ContractRow, DecidedBy
from extraction.contract.value_shapes import folded

EXPANSION = "expansion"
_LEAST_CONFIDENCE = 0.5
_AS_IT_IS = ""


def write_out_names(
    rows: Sequence[ContractRow], answers: Mapping[str, str]
) -> tuple[list[ContractRow], list[Question]]:
    """The rows with their written-out names as synonyms, and the questions about the words that are not clear.

    Args:
        answers: of persons, by question; an answer to a row's name overrules, an empty one leaves it as it is.
    """
    used = [row for row in rows if not row.retired]
    named = [
        NamedRow(
            row.id,
            row.name,
            tuple(alias.text for alias in row.aliases),
            tuple(dict.fromkeys(name for path in row.categories for name in path)),
            tuple(option.name for option in row.options),
            row.unit,
        )
        for row in used
    ]
    expansions = dict(zip((row.id for row in used), expand_names(named), strict=True))
    result = [_with_name(row, expansions.get(row.id), answers) for row in rows]
    return result, list(_questions(expansions, {row.id: row for row in used}))


def name_question_id(row_id: str) -> str:
    """The question about the written-out name of a row; its answer is the name, or empty for as it is."""
    return f"name:{row_id}"


def _with_name(row: ContractRow, expansion: Expansion | None, answers: Mapping[str, str]) -> ContractRow:
    if expansion is None:
        return row
    answer = answers.get(name_question_id(row.id))
    names = [answer] if answer is not None else [expansion.grouped, _likeliest(expansion, answers)]
    known = {folded(text) for text in (row.name, *(alias.text for alias in row.aliases))}
    added = [Alias(name, EXPANSION) for name in names if name and folded(name) not in known]
    if not added:
        return row
    by = DecidedBy.PERSON if answer is not None else DecidedBy.RULE
    return replace(row, aliases=(*row.aliases, *added), decided=(*row.decided, ("synonyms", by)))


def _likeliest(expansion: Expansion, answers: Mapping[str, str]) -> str:
    """The written-out name, with the meanings that a person chose for words that are not clear."""
    chosen = {token.text: answers.get(f"word:{folded(token.text)}", "") for token in expansion.open}
    if any(chosen.values()):
        return " ".join(
            chosen.get(token.text) or (token.meaning.text if token.meaning else token.text)
            for token in expansion.tokens
        )
    return expansion.name if expansion.confidence >= _LEAST_CONFIDENCE else ""


def _questions(expansions: Mapping[str, Expansion], rows: Mapping[str, ContractRow]) -> Iterable[Question]:
    """One question for each word that is not clear, however many rows have it."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for row_id, expansion in expansions.items():
        for token in expansion.open:
            found.setdefault(folded(token.text), []).append((row_id, tuple(token.possible)))
    for word, places in found.items():
        possible = Counter(text for _, texts in places for text in texts)
        names = [rows[row_id].name for row_id, _ in places]
        yield Question(
            f"word:{word}",
            f"What does {word!r} stand for, as in {names[0]!r}?",
            ((_AS_IT_IS, "it stays as it is"), *((text, text) for text in possible)),
            _AS_IT_IS,
            tuple(names[:3]),
            4 + min(len(places), 20) / 10,
        )
