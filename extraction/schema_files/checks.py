"""Checks a flowsheet schema beyond its JSON structure: constraints between fields and between rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain

from extraction.flowsheet.findings import texts
from extraction.flowsheet.formulas import names_in
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.naming.row_meaning import side_of_name
from extraction.flowsheet.ranges import interval_text
from extraction.flowsheet.schema import (
    PRESSURES,
    SAID_TYPES,
    Definition,
    FormulaPart,
    Interval,
    Row,
    ValueType,
)
from extraction.flowsheet.ucum import is_ucum
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS, is_read_otherwise, is_volume, ucum
from extraction.flowsheet.validation import normalise
from extraction.flowsheet.values import Value
from extraction.schema_files.contradiction_checks import contradiction_faults
from models.base.errors import InputError

SELECTS = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT)
_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)
MEASURED = (ValueType.NUMERIC, ValueType.QUANTITY, ValueType.BLOOD_PRESSURE)
MOST_INSTANCES = 999
# Control characters, line separators and lone surrogates would break prompts, tables and the database.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LOINC = re.compile(r"[0-9]{1,8}-[0-9]")


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in the schema: what is wrong, where, and how to fix it, each one sentence.

    Attributes:
        row: index of the row among all rows of the file; None for a fault outside the rows.
        path: path to the field, from the row or else from the whole document.
    """

    what: str
    fix: str
    row: int | None = None
    path: tuple[str | int, ...] = ()


def shortened(text: str) -> str:
    """A text of the file made fit for a message: one line, printable, at most 60 characters."""
    text = _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= 60 else f"{text[:57]}..."


def row_label(row: Row) -> str:
    return f'Row "{shortened(row.id)}" ({shortened(row.name)})'


def broken_rules(rows: Sequence[Row]) -> Iterator[Problem]:
    """Every rule that a row breaks, in row order."""
    if not rows:
        yield Problem("It has no rows.", 'Give at least one category a list "rows" with at least one row.')
    by_id: dict[str, Row] = {}
    for place, row in enumerate(rows):
        first = by_id.setdefault(row.id, row)
        if first is not row:
            same = f'in "{shortened(" / ".join(first.category))}" ({shortened(first.name)})'
            what = f'{row_label(row)}: its "id" is already used {same}.'
            yield Problem(what, "Give every row an id of its own.", place)
    for place, row in enumerate(rows):
        alone = [rule(row) for rule in (_texts, _options, _measures, _ranges)]
        problems = (
            *alone,
            _unit_of(row, by_id),
            _formula(row, by_id),
            _contradicts(row, by_id),
            _codes(row),
            *_meaning(row, by_id),
        )
        for problem in chain.from_iterable(problems):
            yield replace(problem, row=place)


def text_problem(label: str, field: str, text: str) -> Problem | None:
    """What is wrong with a text for people and models; None if nothing is."""
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
    texts += [("written_out", row.written_out)] if row.written_out else []
    texts += [("also_in", name) for path in row.also_in for name in path]
    texts += [("instance / group", row.instance.group)] if row.instance else []
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
    if row.value_type is not ValueType.MULTI_SELECT and any(option.exclusive for option in row.options):
        yield Problem(
            f'{row_label(row)}: in "options", "exclusive" is for a multi_select; other rows take one option anyway.',
            "Take it out.",
        )
    for option in row.options:
        if names.setdefault(_key(option.name), option.name) is not option.name:
            yield Problem(
                f'{row_label(row)}: the option "{shortened(option.name)}" stands twice in "options".',
                "Keep one of them.",
            )
    meaning = dict(names)
    for option in row.options:
        for synonym in option.synonyms:
            other = meaning.setdefault(_key(synonym), option.name)
            if _key(other) != _key(option.name):
                both = f'"{shortened(other)}" and for "{shortened(option.name)}"'
                yield Problem(
                    f'{row_label(row)}: in "options", "{shortened(synonym)}" stands for {both}.',
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
            f'{label}: its "unit" "{shortened(row.unit or "")}" is not a unit of {row.dimension} '
            "that can be converted.",
            f"Use one of: {', '.join(units)}.",
        )
    elif row.ucum is not None and row.ucum != written:
        yield Problem(
            f'{label}: its "unit" is {row.unit}, but its code "ucum" is {shortened(row.ucum)}.', "Correct one of them."
        )


def _ranges(row: Row) -> Iterator[Problem]:
    """Checks each of a row's ranges on its own, and that each lies within the wider ones."""
    label = row_label(row)
    given = {
        "absolute": row.absolute,
        "range": (Interval(row.minimum, row.maximum),) * (2 if row.value_type is ValueType.BLOOD_PRESSURE else 1),
        "critical": row.critical,
        "reference": row.reference,
    }  # widest first
    alone = given | {"usual": row.usual}
    if row.value_type not in MEASURED:
        for name in ("absolute", "critical", "reference", "usual"):
            if alone[name]:
                what = f'{label}: a row of type {row.value_type} cannot have a "{name}" range.'
                yield Problem(what, "Take it out, or make the row numeric.", path=(name,))
        return
    sound = True
    for name, intervals in alone.items():
        for path, interval in dict.fromkeys(_parts_of(name, intervals)):
            if what := _range_fault(interval):
                yield Problem(
                    f"{label}: {what.format(_quoted(path))}",
                    "Write ordinary numbers, the smaller as min.",
                    path=path,
                )
                sound = False
    if not sound:
        return
    for place in range(max(map(len, given.values()))):
        yield from _nesting_problems(
            label, [parts[place] for parts in (_parts_of(*one) for one in given.items()) if parts]
        )


def _nesting_problems(label: str, ranges: Sequence[tuple[tuple[str, ...], Interval]]) -> Iterator[Problem]:
    """Bounds that lie outside a wider range, which comes first; each bound is reported once."""
    for place, (path, inner) in enumerate(ranges):
        for bound, key in ((inner.minimum, "min"), (inner.maximum, "max")):
            for wider_path, wider in ranges[:place]:
                low, high = wider.minimum, wider.maximum
                if bound is not None and ((low is not None and bound < low) or (high is not None and bound > high)):
                    yield Problem(
                        f"{label}: {key} ({bound:g}) of {_quoted(path)} lies outside of {_quoted(wider_path)} "
                        f"({interval_text(wider)}).",
                        'Let "absolute" hold "range", "range" hold "critical", and "critical" hold "reference".',
                        path=(*path, key),
                    )
                    break


def _parts_of(name: str, intervals: Sequence[Interval]) -> list[tuple[tuple[str, ...], Interval]]:
    """The intervals of a range, each with its path in the file."""
    if len(intervals) == 1 or name == "range":
        return [((name,), interval) for interval in intervals]
    return [((name, part), interval) for part, interval in zip(PRESSURES, intervals, strict=False)]


def _quoted(path: tuple[str, ...]) -> str:
    return f'"{" / ".join(path)}"'


def _range_fault(interval: Interval) -> str:
    """What is wrong with a range on its own, with a placeholder for its name; empty if nothing is."""
    low, high = interval.minimum, interval.maximum
    if not all(math.isfinite(bound) for bound in (low, high) if bound is not None):
        return "a bound of its {} is too large."
    if low is not None and high is not None and low > high:
        return f"in {{}}, min ({low:g}) is greater than max ({high:g})."
    return ""


def _unit_of(row: Row, by_id: dict[str, Row]) -> Iterator[Problem]:
    if row.unit_of is None:
        return
    label, target = row_label(row), by_id.get(row.unit_of)
    if row.value_type is not ValueType.SINGLE_SELECT:
        yield Problem(f'{label}: only a single_select can have "unit_of".', "Make it one, with the units as options.")
    if target is None:
        yield Problem(
            f'{label}: "unit_of" names "{shortened(row.unit_of)}", and no row has that id.', "Write the id of a row."
        )
    elif target.unit_of is not None:
        yield Problem(
            f'{label}: "unit_of" names {row_label(target)}, which records a unit itself.',
            "Write the id of the row that holds the number.",
        )


def _contradicts(row: Row, by_id: dict[str, Row]) -> Iterator[Problem]:
    for what, fix in contradiction_faults(row, by_id):
        yield Problem(f'{row_label(row)}: in "contradicts", {what}.', fix)


def _formula(row: Row, by_id: dict[str, Row]) -> Iterator[Problem]:
    if row.formula is None:
        return
    label, parts = row_label(row), dict(row.formula.parts)
    if row.value_type not in _NUMBERS:
        yield Problem(f'{label}: a row of type {row.value_type} cannot have a "formula".', "Make the row numeric.")
    try:
        named = names_in(row.formula.expression)
    except ValueError as error:
        yield Problem(f'{label}: in "formula", the "expression" {error}.', "Correct it, as in: eye + verbal + motor.")
    else:
        for name in sorted(named ^ parts.keys()):
            lacks = "the expression does not use" if name in parts else '"parts" has no'
            yield Problem(f'{label}: in "formula", {lacks} "{shortened(name)}".', "Correct the name, or take it out.")
    for name, part in ((name, one) for name, first in parts.items() for one in first.choices):
        here, source = f'{label}: in "formula", the part "{shortened(name)}"', by_id.get(part.row_id)
        if source is None or source is row:
            lacks = "names its own row" if source else f'names "{shortened(part.row_id)}", and no row has that id'
            yield Problem(f"{here} {lacks}.", "Write the id of a row that it is worked out from.")
        else:
            yield from _part(here, part, source)


def _part(here: str, part: FormulaPart, source: Row) -> Iterator[Problem]:
    pressure = source.value_type is ValueType.BLOOD_PRESSURE
    if pressure != (part.take is not None):
        fix = 'Give it "take": "systolic" or "diastolic".' if pressure else 'Take its "take" out.'
        yield Problem(f"{here} is a row of type {source.value_type}.", fix)
    if part.points and part.bands:
        yield Problem(f'{here} has "points" and "bands".', "Keep one of them.")
    options = source.option_names or ("Yes", "No")
    numbers = pressure or source.value_type in _NUMBERS
    chosen = source.value_type in (ValueType.SINGLE_SELECT, ValueType.YES_NO)
    if not (numbers or chosen) or (numbers and part.points) or (chosen and (part.bands or not part.points)):
        fix = 'Use a number, or a single select with "points" for its options; "bands" are for numbers.'
        yield Problem(f"{here} is a row of type {source.value_type}, which cannot be a part.", fix)
    elif unknown := [name for name, _ in part.points if name not in options]:
        yield Problem(
            f'{here} gives points to "{shortened(unknown[0])}", which is not an option.', "Write an option's name."
        )
    limits = [math.inf if band.maximum is None else band.maximum for band in part.bands]
    if limits != sorted(set(limits)):
        yield Problem(f'{here} has "bands" that do not rise.', 'Order them by "max"; only the last may have none.')
    if not all(math.isfinite(points) for points in (*dict(part.points).values(), *(b.points for b in part.bands))):
        yield Problem(f'{here} has "points" that are too large.', "Write an ordinary number.")


def _meaning(row: Row, by_id: dict[str, Row]) -> Iterator[Iterator[Problem]]:
    """Checks what a row states about its meaning."""
    yield _instance(row)
    yield _laterality(row)
    yield _measured_with(row, by_id)
    yield _concept(row)
    yield _fluid(row)
    yield _also_in(row)


def _fluid(row: Row) -> Iterator[Problem]:
    if row.fluid is None:
        return
    here = ("fluid",)
    if row.value_type not in _NUMBERS or row.formula:
        what = f'{row_label(row)}: only a row with a number that is measured can have "fluid".'
        yield Problem(what, "Take it out.", path=here)
    elif not is_volume(row.ucum or row.unit):
        what = f'{row_label(row)}: it has "fluid", but its unit is not a volume.'
        yield Problem(what, 'Give it the unit "mL" or "L", or take "fluid" out.', path=here)


def _concept(row: Row) -> Iterator[Problem]:
    if row.concept is None or row.concept in concepts():
        return
    what = f'{row_label(row)}: "concept" is "{shortened(row.concept)}", and no concept has that id.'
    near = get_close_matches(row.concept, concepts(), n=3)
    meant = f"Write {' or '.join(near)}, or another one" if near else "Write the id of one"
    yield Problem(what, f"{meant}; 'wardlight schema concepts' lists them.", path=("concept",))


def _instance(row: Row) -> Iterator[Problem]:
    label = row_label(row)
    if row.instance and not 1 <= row.instance.number <= MOST_INSTANCES:
        what = f'{label}: in "instance", the number is {row.instance.number}.'
        yield Problem(what, f"Number instances from 1 to {MOST_INSTANCES}.", path=("instance", "number"))
    if row.instance and not any(map(str.isalpha, row.instance.group)):
        what = f'{label}: in "instance", the group "{shortened(row.instance.group)}" has no word.'
        yield Problem(what, "Write what nurses call one of them.", path=("instance", "group"))
    if row.role and row.value_type not in (*SELECTS, ValueType.TEXT):
        what = f'{label}: a row of type {row.value_type} cannot have the "role" {row.role}.'
        yield Problem(what, "Take it out, or make the row a select or a text.", path=("role",))
    if row.role and "instance" in row.stated_none:
        what = f'{label}: it has the "role" {row.role}, but its "instance" is null.'
        yield Problem(what, "Take one of them out.", path=("role",))


def _laterality(row: Row) -> Iterator[Problem]:
    named = side_of_name(row.name)
    if row.laterality and named not in (None, row.laterality):
        what = f'{row_label(row)}: its "laterality" is {row.laterality}, but its name says {named}.'
        yield Problem(what, "Correct one of them.", path=("laterality",))


def _measured_with(row: Row, by_id: dict[str, Row]) -> Iterator[Problem]:
    if row.measured_with is None:
        return
    label, target, here = row_label(row), by_id.get(row.measured_with), ("measured_with",)
    if row.value_type is not ValueType.SINGLE_SELECT or row.unit_of:
        what = f'{label}: only a single_select without "unit_of" can have "measured_with".'
        yield Problem(what, "Take it out.", path=here)
    if target is None:
        what = f'{label}: "measured_with" names "{shortened(row.measured_with)}", and no row has that id.'
        yield Problem(what, "Write the id of a row.", path=here)
    elif target.value_type not in SAID_TYPES:
        what = f'{label}: "measured_with" names {row_label(target)}, which holds no number.'
        yield Problem(what, "Write the id of the row that holds the number.", path=here)


def _also_in(row: Row) -> Iterator[Problem]:
    for number, path in enumerate(row.also_in):
        if path in row.categories[: number + 1]:
            place = shortened(" / ".join(path))
            what = f'{row_label(row)}: "also_in" names the category "{place}", which it is in already.'
            yield Problem(what, "Take it out.", path=("also_in", number))


def _codes(row: Row) -> Iterator[Problem]:
    if row.loinc is not None and not is_loinc(row.loinc):
        yield Problem(
            f'{row_label(row)}: the code "loinc" is "{shortened(row.loinc)}", which is not a LOINC code.',
            "Copy the code again, with its last digit after the hyphen; that digit is a check digit.",
        )


def doubtful_units(rows: Sequence[Row]) -> Iterator[Problem]:
    """Units that are not UCUM codes, in row order.

    The schema is still usable, but values said in other units are not converted into these.
    """
    for place, row in enumerate(rows):
        field, unit = ("ucum", row.ucum) if row.ucum else ("unit", row.unit)
        if not unit or (is_ucum(unit) and (field == "ucum" or not is_read_otherwise(unit))):
            continue
        lacks = "another unit in UCUM" if is_ucum(unit) else "not a UCUM code"
        what = f'{row_label(row)}: its {"code" if field == "ucum" else "unit"} "{shortened(unit)}" is {lacks}.'
        code = ucum(unit)
        yield Problem(
            what, f'Give it the code "ucum" "{code}".' if code else 'Give it a code "ucum"; see ucum.org.', place
        )


def checked_definitions(
    given: Sequence[tuple[tuple[str | int, ...], Definition]], rows: Sequence[Row]
) -> tuple[tuple[Definition, ...], list[Problem]]:
    """Normalises the definitions of "within defined limits" and reports what is wrong with them.

    Args:
        given: each with its path from the whole document.
    """
    by_id = {row.id: row for row in rows}
    problems: list[Problem] = []
    named: dict[str, Definition] = {}
    checked = []
    for path, definition in given:
        label = f'Category "{shortened(definition.category[-1])}": in "within_defined_limits"'
        for name in definition.names:
            place = (*path, "synonyms", *([definition.synonyms.index(name)] if name in definition.synonyms else []))
            if problem := text_problem(label, "synonyms", name):
                problems.append(replace(problem, path=place))
            if named.setdefault(_key(name), definition) is not definition:
                other = shortened(" / ".join(named[_key(name)].category))
                what = f'{label}, "{shortened(name)}" names "{other}" as well.'
                problems.append(Problem(what, "Keep it with one of them.", path=place))
        values: list[tuple[str, Value]] = []
        for row_id, value in definition.values:
            place = (*path, "values", row_id)
            try:
                kept, _, found = normalise(by_id[row_id], value)
            except KeyError:
                what = f'{label}, no row has the id "{shortened(row_id)}".'
                problems.append(Problem(what, "Write the id of a row.", path=place))
            except InputError as error:
                problems.append(Problem(f"{label}, {error.what}", error.next_step, path=place))
            else:
                problems += [
                    Problem(f"{label}, the value of {row_label(by_id[row_id])} is {doubt}.", "Correct it.", path=place)
                    for doubt in texts(found)
                ]
                values.append((row_id, kept))
        checked.append(replace(definition, values=tuple(values)))
    return tuple(checked), problems


def is_loinc(code: str) -> bool:
    """Whether a code has LOINC's form and a valid check digit (modulus 10, double-add-double)."""
    if not _LOINC.fullmatch(code):
        return False
    body, check = code.split("-")
    total = sum(
        sum(divmod(2 * int(digit), 10)) if place % 2 == 0 else int(digit) for place, digit in enumerate(reversed(body))
    )
    return -total % 10 == int(check)


FORMAT = "wardlight-flowsheet/1"
