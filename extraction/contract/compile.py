"""A contract becomes a flowsheet schema, and the codes under which values go back. No model and no person is needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from extraction.contract.history.usual import usual_intervals
from extraction.contract.records import Contract, ContractOption, ContractRow
from extraction.contract.relations.decisions import alike_rows
from extraction.contract.value_shapes import folded
from extraction.contract.written_out import EXPANSION
from extraction.flowsheet.question_vocabulary import RowFacts, question_vocabulary
from extraction.flowsheet.schema import NUMBER_TYPES, PRESSURES, SELECT_TYPES, Interval, ValueType
from extraction.schema_files.checks import FORMAT
from extraction.schema_files.native_format import parse_schema
from extraction.schema_files.synur_format import readable

_WITHOUT_GROUP = "Other rows"
_YES_NO = {"yes", "no"}


@dataclass(frozen=True, slots=True)
class RowExport:
    """How values of a row go back.

    Attributes:
        id, name: the hospital's own.
        unit: in which the hospital keeps the number.
        options: by the name of an option in the schema (`true` and `false` for yes and no), the hospital's code; the
            name itself where the hospital has no code.
    """

    id: str
    name: str
    unit: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)


def flowsheet_schema(contract: Contract, name: str = "") -> bytes:
    """The flowsheet schema of a contract, `wardlight-flowsheet/1` in UTF-8: its rows in use under their own ids."""
    return _schema([row for row in contract.rows if not row.retired], contract, name)


def _schema(rows: Sequence[ContractRow], contract: Contract, name: str) -> bytes:
    document = {
        "format": FORMAT,
        "id": contract.id,
        "name": name or contract.id,
        "version": str(contract.version),
        "categories": _categories(rows),
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def contract_vocabulary(contract: Contract, name: str = "") -> bytes:
    """The vocabulary for questions of a contract; retired rows too, since their values are still there."""
    schema = parse_schema(_schema(contract.rows, contract, name), "The vocabulary's schema")
    alike = alike_rows(contract)
    totals = asdict(contract.charted) if contract.charted else None
    return question_vocabulary(schema, {row.id: _facts(row, alike.get(row.id, ())) for row in contract.rows}, totals)


def _facts(row: ContractRow, alike: tuple[str, ...]) -> RowFacts:
    history = row.history
    charted = asdict(history) if history else {}
    shares = {one.name.casefold(): round(one.count / history.count, 4) for one in history.options} if history else {}
    for of_its_own in ("options", "numbers", "together"):
        charted.pop(of_its_own, None)
    return RowFacts(row.former_ids, _written_out(row), row.retired, charted or None, shares, alike)


def _written_out(row: ContractRow) -> tuple[str, ...]:
    """Its names with all words written out, the most specific first."""
    return tuple(alias.text for alias in row.aliases if alias.origin == EXPANSION)


def export_map(contract: Contract) -> dict[str, RowExport]:
    """How values go back, by the id of the row; retired rows too, since their values may still be corrected."""
    return {row.id: row_export(row) for row in contract.rows}


def row_export(row: ContractRow) -> RowExport:
    """How values of a row go back."""
    return RowExport(row.id, row.name, row.unit, _option_codes(row))


def _option_codes(row: ContractRow) -> dict[str, str]:
    if _is_yes_no(row):
        return {str(folded(option.name) == "yes").lower(): option.code or option.name for option in row.options}
    return {option.name: option.code or option.name for option in row.options}


def _is_yes_no(row: ContractRow) -> bool:
    return row.value_type == ValueType.SINGLE_SELECT and {folded(option.name) for option in row.options} == _YES_NO


# the document


def _categories(rows: Iterable[ContractRow]) -> list[dict[str, Any]]:
    top: dict[str, Any] = {}
    for row in _without_lost_partners(list(rows)):
        path = row.categories[0] if row.categories else (_WITHOUT_GROUP,)
        level, entry = top, None
        for name in path:
            entry = level.setdefault(name, {"rows": [], "categories": {}})
            level = entry["categories"]
        assert entry is not None
        entry["rows"].append(_row(row))
    return _as_lists(top)


def _without_lost_partners(rows: Sequence[ContractRow]) -> Iterable[ContractRow]:
    """The rows; one whose partner is not among them, or holds no number any more, stands by itself."""
    measured = {row.id for row in rows if not row.unit_of}
    numbers = {row.id for row in rows if ValueType(row.value_type) in NUMBER_TYPES}
    for row in rows:
        unit_of = row.unit_of if row.unit_of in measured else ""
        yield replace(row, unit_of=unit_of, measured_with=row.measured_with if row.measured_with in numbers else "")


def _as_lists(level: Mapping[str, Any]) -> list[dict[str, Any]]:
    categories = []
    for name, entry in level.items():
        category: dict[str, Any] = {"name": name}
        if entry["rows"]:
            category["rows"] = entry["rows"]
        if entry["categories"]:
            category["categories"] = _as_lists(entry["categories"])
        categories.append(category)
    return categories


def _row(row: ContractRow) -> dict[str, Any]:
    value_type = ValueType.YES_NO if _is_yes_no(row) else ValueType(row.value_type)
    written: dict[str, Any] = {"id": row.id, "name": row.name, "type": value_type.value}
    name, *_ = (*_written_out(row), "")
    if name:
        written["written_out"] = name
    synonyms = _different([readable(row.name), *(alias.text for alias in row.aliases)], row.name)
    if synonyms := [text for text in synonyms if text != name]:
        written["synonyms"] = synonyms
    if value_type in SELECT_TYPES:
        written["options"] = [_option(option) for option in row.options if not option.retired] or [
            _option(option) for option in row.options
        ]
    if value_type in NUMBER_TYPES:
        if row.unit:
            written["unit"] = row.unit
        bounds = {name: bound for name, bound in (("min", row.minimum), ("max", row.maximum)) if bound is not None}
        if bounds:
            written["range"] = bounds
        elif usual := [_interval(one) for one in usual_intervals(row.history)]:
            pair = value_type is ValueType.BLOOD_PRESSURE
            written["usual"] = dict(zip(PRESSURES, usual, strict=True)) if pair else usual[0]
    codes = {"loinc": row.loinc, "ucum": row.ucum if value_type in NUMBER_TYPES and row.ucum != row.unit else ""}
    if codes := {name: code for name, code in codes.items() if code}:
        written["codes"] = codes
    if row.unit_of and value_type is ValueType.SINGLE_SELECT:
        written["unit_of"] = row.unit_of
    if row.measured_with and value_type is ValueType.SINGLE_SELECT:
        written["measured_with"] = row.measured_with
    further = [list(path) for path in row.categories[1:]]
    if further:
        written["also_in"] = further
    return written


def _interval(interval: Interval) -> dict[str, Any]:
    return {"min": interval.minimum, "max": interval.maximum}


def _option(option: ContractOption) -> str | dict[str, Any]:
    synonyms = _different([readable(option.name), *option.synonyms], option.name)
    return {"name": option.name, "synonyms": synonyms} if synonyms else option.name


def _different(texts: Iterable[str], name: str) -> list[str]:
    """Texts that say something else than the name, each once."""
    kept = {folded(text): text for text in reversed(list(texts)) if folded(text) and folded(text) != folded(name)}
    return list(reversed(kept.values()))
