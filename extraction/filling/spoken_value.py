"""The value of one row that a person said to it: "no, 128 over 82" said to the blood pressure."""

from __future__ import annotations

import datetime as dt

from extraction.filling.chart_units import MISFITS, in_chart_unit
from extraction.filling.closed_answers import Choice, choices
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.language.negation import denials
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import stems, whole_words
from extraction.preparation.self_corrections import corrected
from models.base.errors import InputError

_NEXT = "Say only the value, once more."
_MARKS = " .,;:!?"


def spoken_value(row: Row, schema: Schema, text: str, today: dt.date) -> Value:
    """The one value of `row` in `text`, which was said to this row alone.

    Nothing is guessed: an option counts if all of its words were said, and a denied one does not.

    Raises:
        InputError: the text says no value of the row, or several, or one in a unit that the row cannot have.
    """
    said = corrected(text, schema).text.text.strip()
    if row.value_type is ValueType.TEXT:
        found: list[Value] = [said.strip(_MARKS)] if said.strip(_MARKS) else []
    elif row.value_type is ValueType.YES_NO:
        found = _yes_or_no(said)
    elif row.options:
        found = _options(row, said)
    else:
        heard = choices(row, [Segment(0, 0, len(said), said)], today)
        found = list(dict.fromkeys(_in_chart_unit(row, one, said) for one in heard))
    if not found:
        raise InputError(f"No value of {row.name} was heard in “{text.strip()}”.", _NEXT)
    if len(found) > 1:
        several = " and ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in found)
        raise InputError(f"Several values of {row.name} were heard: {several}.", _NEXT)
    return found[0]


def _in_chart_unit(row: Row, said: Choice, text: str) -> Value:
    value, found = in_chart_unit(row, said.value, text, said.span)
    if misfits := [one for one in found if one.code in MISFITS]:
        raise InputError(f"The value of {row.name} was {misfits[0].text}.", _NEXT)
    return value


def _yes_or_no(said: str) -> list[Value]:
    first = next(iter(said.casefold().replace(",", " ").split()), "").strip(_MARKS)
    return [first == "yes"] if first in ("yes", "no") else []


def _options(row: Row, said: str) -> list[Value]:
    """The options whose words were said: of a multi-select all as one value, otherwise those with the most words."""
    denied = {place for start, end in denials(said) for place in range(start, end)}
    words = stems("".join(" " if place in denied else letter for place, letter in enumerate(said)))
    counts = {option.name: whole_words(option.forms, words) for option in row.options}
    chosen = [name for name, count in counts.items() if count]
    if row.value_type is ValueType.MULTI_SELECT:
        return [tuple(chosen)] if chosen else []
    most = max(counts.values(), default=0)
    return [name for name in chosen if counts[name] == most]
