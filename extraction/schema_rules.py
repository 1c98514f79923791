"""What must hold in a flowsheet schema beyond its JSON structure: the rules between fields and between rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.schema import Row, ValueType
from extraction.units import ucum

SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT)
MEASURED = (ValueType.NUMERIC, ValueType.QUANTITY, ValueType.BLOOD_PRESSURE)
DIMENSION_UNITS = {
    "temperature": ("Cel", "[degF]"),
    "weight": ("kg", "g", "[lb_av]", "[oz_av]"),
    "height": ("cm", "m", "[in_i]", "[ft_i]"),
    "volume": ("mL", "L", "[foz_us]"),
}
# Control characters, line separators and halves of characters would break prompts, tables and the database.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LOINC = re.compile(r"[0-9]{1,8}-[0-9]")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the schema: where and what, and what to do about it, each one sentence.

    Attributes:
        row: place of the row among all rows of the file, counted from 0; None for what is wrong outside of them.
        path: from the row, or else from the whole document, to the field.
    """

    what: str
    fix: str
    row: int | None = None
    path: tuple[str | int, ...] = ()


def shown(text: str) -> str:
    """A text of the file as a message may hold it: one line, printable, not too long."""
    text = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= 60 else f"{text[:57]}..."


def row_label(row: Row) -> str:
    return f'Row "{shown(row.id)}" ({shown(row.name)})'


def broken_rules(rows: Sequence[Row]) -> Iterator[Problem]:
    """Every rule that a row breaks, in the order of the rows."""
    if not rows:
        yield Problem("It has no rows.", 'Give at least one category a list "rows" with at least one row.')
    by_id: dict[str, Row] = {}
    for place, row in enumerate(rows):
        first = by_id.setdefault(row.id, row)
        if first is not row:
            same = f'in "{shown(" / ".join(first.category))}" ({shown(first.name)})'
            what = f'{row_label(row)}: its "id" is already used {same}.'
            yield Problem(what, "Give every row an id of its own.", place)
    for place, row in enumerate(rows):
        for problem in (*_texts(row), *_options(row), *_measures(row), *_unit_of(row, by_id), *_codes(row)):
            yield replace(problem, row=place)


def text_problem(label: str, field: str, text: str) -> Problem | None:
    """What is wrong with a text that people and models read, if anything."""
    if not text.strip():
        return Problem(f'{label}: the field "{field}" is empty.', "Write a text there.")
    if _UNPRINTABLE.search(text):
        return Problem(
            f'{label}: the field "{field}" holds a line break or another character that cannot be shown.',
            "Take that character out.",
        )
    return None


def _texts(row: Row) -> Iterator[Problem]:
    texts = [("id", row.id), ("name", row.name), *(("category", name) for name in row.category)]
    texts += [(name, text) for name, text in (("unit", row.unit), ("ucum", row.ucum)) if text is not None]
    texts += [("synonyms", text) for text in row.synonyms]
    for option in row.options:
        texts += [("options", option.name), *(("options", text) for text in option.synonyms)]
    for field, text in texts:
        if problem := text_problem(row_label(row), field, text):
            yield problem


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _options(row: Row) -> Iterator[Problem]:
    if row.value_type in SELECTS and not row.options:
        yield Problem(f'{row_label(row)}: it has no "options".', "List at least one option.")
    if row.value_type not in SELECTS and row.options:
        yield Problem(
            f'{row_label(row)}: a row of type {row.value_type} cannot have "options".',
            "Take the options out, or make it single_select or multi_select.",
        )
    names: dict[str, str] = {}
    for option in row.options:
        if names.setdefault(_key(option.name), option.name) is not option.name:
            yield Problem(
                f'{row_label(row)}: the option "{shown(option.name)}" stands twice in "options".', "Keep one of them."
            )
    meaning = dict(names)
    for option in row.options:
        for synonym in option.synonyms:
            other = meaning.setdefault(_key(synonym), option.name)
            if _key(other) != _key(option.name):
                both = f'"{shown(other)}" and for "{shown(option.name)}"'
                yield Problem(
                    f'{row_label(row)}: in "options", "{shown(synonym)}" stands for {both}.',
                    "Keep it with one option only.",
                )


def _measures(row: Row) -> Iterator[Problem]:
    label, kind = row_label(row), row.value_type
    if kind not in MEASURED:
        if row.unit is not None:
            yield Problem(
                f'{label}: a row of type {kind} cannot have a "unit".', "Take it out, or make the row numeric."
            )
        if row.minimum is not None or row.maximum is not None:
            yield Problem(
                f'{label}: a row of type {kind} cannot have a "range".', "Take it out, or make the row numeric."
            )
    bounds = [bound for bound in (row.minimum, row.maximum) if bound is not None]
    if not all(math.isfinite(bound) for bound in bounds):
        yield Problem(f'{label}: a bound of its "range" is too large.', "Write an ordinary number.")
    elif len(bounds) == 2 and bounds[0] > bounds[1]:
        yield Problem(
            f'{label}: in "range", min ({bounds[0]:g}) is greater than max ({bounds[1]:g}).',
            "Exchange or correct them.",
        )
    if kind is not ValueType.QUANTITY:
        if row.dimension is not None:
            yield Problem(
                f'{label}: a row of type {kind} cannot have a "dimension".', "Take it out, or make the row a quantity."
            )
        return
    known = ", ".join(DIMENSION_UNITS)
    if row.dimension not in DIMENSION_UNITS:
        yield Problem(f'{label}: a quantity needs a "dimension".', f"Use one of: {known}.")
        return
    units = DIMENSION_UNITS[row.dimension]
    written = ucum(row.unit) if row.unit else None
    if written not in units:
        yield Problem(
            f'{label}: its "unit" "{shown(row.unit or "")}" is not a unit of {row.dimension} that can be converted.',
            f"Use one of: {', '.join(units)}.",
        )
    elif row.ucum is not None and row.ucum != written:
        yield Problem(
            f'{label}: its "unit" is {row.unit}, but its code "ucum" is {shown(row.ucum)}.', "Correct one of them."
        )


def _unit_of(row: Row, by_id: dict[str, Row]) -> Iterator[Problem]:
    if row.unit_of is None:
        return
    label, target = row_label(row), by_id.get(row.unit_of)
    if row.value_type is not ValueType.SINGLE_SELECT:
        yield Problem(f'{label}: only a single_select can have "unit_of".', "Make it one, with the units as options.")
    if target is None:
        yield Problem(
            f'{label}: "unit_of" names "{shown(row.unit_of)}", and no row has that id.', "Write the id of a row."
        )
    elif target.unit_of is not None:
        yield Problem(
            f'{label}: "unit_of" names {row_label(target)}, which records a unit itself.',
            "Write the id of the row that holds the number.",
        )


def _codes(row: Row) -> Iterator[Problem]:
    if row.loinc is not None and not is_loinc(row.loinc):
        yield Problem(
            f'{row_label(row)}: the code "loinc" is "{shown(row.loinc)}", which is not a LOINC code.',
            "Copy the code again, with its last digit after the hyphen; that digit is a check digit.",
        )


def is_loinc(code: str) -> bool:
    """Whether a code has LOINC's form and its check digit (modulus 10, double-add-double) is right."""
    if not _LOINC.fullmatch(code):
        return False
    body, check = code.split("-")
    total = sum(
        sum(divmod(2 * int(digit), 10)) if place % 2 == 0 else int(digit) for place, digit in enumerate(reversed(body))
    )
    return -total % 10 == int(check)
