"""What a question about charted values can name, and which questions fit each row, as one JSON document.

`resources/schemas/vocabulary.schema.json` describes it, and docs/contract.md says what each field is for. It is made of
a schema; a contract adds what it knows beyond that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from extraction.flowsheet.naming.instance_families import Family, families_of
from extraction.flowsheet.naming.row_concepts import as_spoken, concept_groups, row_concepts
from extraction.flowsheet.naming.row_meaning import fluid_of, is_total, meaning_of
from extraction.flowsheet.schema import NUMBER_TYPES, SELECT_TYPES, Fluid, Option, Row, Schema, ValueType
from extraction.flowsheet.ucum import measure
from extraction.flowsheet.unit_conversion import is_volume
from extraction.flowsheet.validation import chart_unit
from extraction.language.vocabulary.words import stems

FORMAT = "wardlight-vocabulary/1"
_YES_NO = (Option("Yes"), Option("No"))
_COUNTED = NUMBER_TYPES | SELECT_TYPES | {ValueType.YES_NO}
_DIMENSIONS = {
    "[temperature]": "temperature",
    "[mass]": "mass",
    "[length]": "length",
    "[length] ** 3": "volume",
    "[length] ** 3 / [time]": "flow",
    "[mass] / [length] / [time] ** 2": "pressure",
    "[time]": "time",
    "1 / [time]": "rate",
    "dimensionless": "share",
}


class Question(StrEnum):
    """A kind of question that charted values of a row can answer."""

    LATEST = "latest"
    ANY = "any"
    MISSING = "missing"
    COUNT = "count"
    TREND = "trend"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What is known of a row beyond its schema.

    Attributes:
        former_ids: ids under which older values stand.
        written_out: synonyms that are its terse name with all words written out.
        retired: whether it is no longer charted, and only older values stand in it.
        charted: how often, as in the document; None if that is not known.
        shares: of all its values, by option in lower case.
        alike: ids of rows that chart the same measurement in another way or place, as a person confirmed.
    """

    former_ids: tuple[str, ...] = ()
    written_out: tuple[str, ...] = ()
    retired: bool = False
    charted: Mapping[str, Any] | None = None
    shares: Mapping[str, float] = field(default_factory=dict)
    alike: tuple[str, ...] = ()


_NO_FACTS = RowFacts()


def question_vocabulary(
    schema: Schema, facts: Mapping[str, RowFacts] | None = None, charted: Mapping[str, Any] | None = None
) -> bytes:
    """The vocabulary of a schema in UTF-8; the same schema, facts and words of the ward give the same bytes.

    Args:
        facts: by the id of a row.
        charted: what was charted in all, as in the document.
    """
    facts = facts or {}
    document = {
        "format": FORMAT,
        "schema": {"id": schema.id, "name": schema.name, "version": schema.version, "language": schema.language},
        "charted": charted,
        "families": [_family(one) for one in families_of(schema)],
        "rows": [
            _row(row, named, schema, facts.get(row.id, _NO_FACTS))
            for row, named in zip(as_spoken(schema).rows, schema.rows, strict=True)
        ],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def questions_of(row: Row, *, retired: bool = False) -> tuple[Question, ...]:
    """The kinds of question that fit a row."""
    numbers = row.value_type in NUMBER_TYPES
    fits = {
        Question.LATEST: True,
        Question.ANY: True,
        Question.MISSING: row.formula is None and not retired,
        Question.COUNT: row.formula is None and row.value_type in _COUNTED,
        Question.TREND: numbers,
        Question.SUM: row.formula is None and numbers and _adds_up(row),
    }
    return tuple(kind for kind, fitting in fits.items() if fitting)


def _adds_up(row: Row) -> bool:
    """Whether its numbers can be added: volumes of an intake or output. The sum of other volumes means nothing."""
    groups = stems(" ".join(name for path in row.categories for name in path))
    directed = any(stems(side) <= groups for side in Fluid)
    return _fluid(row) is not None or (directed and is_volume(chart_unit(row)) and not is_total(row))


def _fluid(row: Row) -> Fluid | None:
    """The side of the fluid balance on which its volumes count; totals would count twice."""
    return row.fluid or (None if is_total(row) else fluid_of(row))


def _family(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "words": list(family.words),
        "kinds": list(family.kinds),
        "instances": [
            {"number": number, "rows": [row.id for row in rows.values()]} for number, rows in family.rows.items()
        ],
        "places": sorted({rows[rest].id for rows in family.rows.values() for rest in family.places if rest in rows}),
    }


def _row(row: Row, named: Row, schema: Schema, facts: RowFacts) -> dict[str, Any]:
    meaning = meaning_of(schema).of(row.id)
    link = row_concepts(schema).get(row.id)
    instance = meaning.instance
    return {
        "id": row.id,
        "former_ids": list(facts.former_ids),
        "retired": facts.retired,
        "name": named.name,
        "synonyms": [name for name in named.synonyms if name not in facts.written_out],
        "written_out": list(dict.fromkeys((*filter(None, (named.written_out,)), *facts.written_out))),
        "spoken": list(row.spoken),
        "cues": list(row.cues),
        "concept": link.concept.id if link else None,
        "system": concept_groups()[link.concept.id] if link else None,
        "categories": [list(path) for path in row.categories],
        "type": row.value_type.value,
        "unit": row.unit,
        "ucum": row.ucum,
        "dimension": _dimension(chart_unit(row)),
        "options": [_option(option, facts.shares) for option in _answers(row)],
        "instance": {"family": instance.group, "number": instance.number} if instance else None,
        "records": meaning.records or None,
        "role": meaning.role,
        "side": meaning.laterality,
        "unit_of": row.unit_of,
        "measured_with": list(meaning.measured_with),
        "alike": list(facts.alike),
        "computed_from": _sources(row),
        "fluid": _fluid(row),
        "required": row.required,
        "charted": facts.charted,
        "questions": list(questions_of(row, retired=facts.retired)),
    }


def _answers(row: Row) -> Sequence[Option]:
    return _YES_NO if row.value_type is ValueType.YES_NO else row.options


def _option(option: Option, shares: Mapping[str, float]) -> dict[str, Any]:
    return {
        "name": option.name,
        "synonyms": list(option.synonyms),
        "spoken": list(option.spoken),
        "share": shares.get(option.name.casefold()),
    }


def _sources(row: Row) -> list[str]:
    parts = (choice for _, part in row.formula.parts for choice in part.choices) if row.formula else ()
    return list(dict.fromkeys(part.row_id for part in parts))


@lru_cache(maxsize=256)
def _dimension(code: str | None) -> str | None:
    """What a unit measures: numbers of the same dimension can be compared; None if that is not known."""
    found = measure(code) if code else None
    if found is None:
        return None
    physical, kinds = found.quantity
    if kinds:  # such as drops: not what their dimension suggests
        return " and ".join(sorted(kind for kind, _ in kinds))
    return _DIMENSIONS.get(str(physical), str(physical))
