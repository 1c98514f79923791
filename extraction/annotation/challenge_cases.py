"""Challenge cases: short utterances with the values to chart, grouped by phenomenon, one file each.

docs/evaluation.md describes the format. A case passes if exactly its gold values are proposed for their rows, and
nothing for the rows it names as absent. Other rows are counted separately.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from extraction.annotation.json_lines import decoded, field_of, json_lines
from extraction.annotation.scoring import equal_values
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.validation import normalise
from extraction.flowsheet.values import FilledValue, Value
from models.base.errors import InputError

PHENOMENA = (
    "corrections", "times", "numbers", "negation", "instances", "scores", "patients",
    "assertion", "abbreviations", "disfluency",
)  # fmt: skip
_FIELDS = frozenset({"id", "text", "gold", "absent", "patients", "context"})
_GOLD_FIELDS = frozenset({"row_id", "value", "unit", "time", "lit", "patient", "instance"})
_FORM = 'Each line is a JSON object with "id", "text", "gold" and "absent"; see docs/evaluation.md.'
# Unit conversions are rounded to hundredths.
_TOLERANCE = 0.011


@dataclass(frozen=True, slots=True)
class GoldValue:
    """A value that must be charted.

    Attributes:
        value: in the form the row keeps.
        unit: the row's unit; None if it does not matter.
        lit: whether the value must be shown with a doubt; otherwise it may or may not be.
        attributes: what else the value must have: `time` of observation, as 'HH:MM' with an optional day before it,
            empty for the time of the dictation; `patient` and `instance`, by the field of a proposal's JSON.
    """

    row_id: str
    value: Value
    unit: str | None = None
    lit: bool = False
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A text, its gold values, and ids of the rows that must stay empty.

    Attributes:
        patients: the patients the text may be about; empty if there is only one.
        context: additional facts, such as the time of the dictation.
    """

    id: str
    phenomenon: str
    text: str
    gold: tuple[GoldValue, ...]
    absent: frozenset[str]
    patients: tuple[str, ...] = ()
    context: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Utterances:
    """The cases of a folder in order; `sha256` covers the files they were read from."""

    cases: tuple[Utterance, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class JudgedUtterance:
    """A case compared with its proposals.

    Attributes:
        missed: gold values without a matching proposal.
        wrong: proposals for a row of the gold that match no gold value.
        forbidden: proposals for rows that must stay empty.
        unlit: gold values that were found, but without the required doubt.
        extra: proposals for other rows.
        found: proposals that match a gold value.
    """

    case: Utterance
    missed: tuple[GoldValue, ...]
    wrong: tuple[FilledValue, ...]
    forbidden: tuple[FilledValue, ...]
    unlit: tuple[GoldValue, ...]
    extra: tuple[FilledValue, ...]
    found: tuple[FilledValue, ...] = ()

    @property
    def right(self) -> bool:
        return not (self.missed or self.wrong or self.forbidden or self.unlit)


def read_utterances(folder: Path, schema: Schema, only: Sequence[str] = ()) -> Utterances:
    """The cases of `<phenomenon>.jsonl` in the folder, restricted to the phenomena in `only` if any.

    Raises:
        InputError: a file is missing, or a line is not in the format above; the message names file, line and field.
    """
    if unknown := [name for name in only if name not in PHENOMENA]:
        raise InputError(f"There is no phenomenon called '{unknown[0]}'.", f"Choose from: {', '.join(PHENOMENA)}.")
    names = [name for name in PHENOMENA if name in (only or PHENOMENA)]
    files = {name: path for name in names if (path := folder / f"{name}.jsonl").is_file()}
    if not files or (only and len(files) < len(names)):
        lacking = next(name for name in names if name not in files)
        raise InputError(f"There is no file {folder / lacking}.jsonl.", "Name the folder of the cases with --cases.")
    digest = hashlib.sha256()
    cases: dict[str, Utterance] = {}
    for name, path in files.items():
        data, lines = json_lines(path)
        digest.update(name.encode() + b"\0" + data + b"\0")
        for number, line in lines:
            where = f"{path.name}, line {number}"
            case = _case(line, name, schema, where)
            if cases.setdefault(case.id, case) is not case:
                raise InputError(f'{where}: the id "{case.id}" is already used.', "Give each case an id of its own.")
    return Utterances(tuple(cases.values()), digest.hexdigest())


def judge(case: Utterance, proposed: Sequence[FilledValue], lit: Sequence[bool]) -> JudgedUtterance:
    """Compares the proposals for a case with its gold; `lit` says for each whether it is shown with a doubt."""
    found = [(one, [place for place, value in enumerate(proposed) if fits(one, value)]) for one in case.gold]
    fitting = {place for _, places in found for place in places}
    rows = {one.row_id for one in case.gold}
    others = [value for place, value in enumerate(proposed) if place not in fitting]
    return JudgedUtterance(
        case,
        missed=tuple(one for one, places in found if not places),
        wrong=tuple(value for value in others if value.row_id in rows),
        forbidden=tuple(value for value in others if value.row_id in case.absent - rows),
        unlit=tuple(one for one, places in found if places and one.lit and not any(lit[place] for place in places)),
        extra=tuple(value for value in others if value.row_id not in rows | case.absent),
        found=tuple(value for place, value in enumerate(proposed) if place in fitting),
    )


def fits(gold: GoldValue, value: FilledValue) -> bool:
    """Whether a proposal matches everything the gold value specifies."""
    if gold.row_id != value.row_id or (gold.unit is not None and gold.unit != value.unit):
        return False
    carried = value.to_json() | {"time": value.observed_at or ""}
    return equal_values(gold.value, value.value, _TOLERANCE) and all(
        said == carried.get(name) or (name == "time" and said != "" and carried[name].endswith(f"T{said}"))
        for name, said in gold.attributes.items()
    )


def _case(line: str, phenomenon: str, schema: Schema, where: str) -> Utterance:
    data = decoded(line, where, _FORM)
    _refuse_unknown_fields(data, _FIELDS, where)
    text: str = field_of(data, "text", (str,), where, _FORM)
    if not text.strip():
        raise InputError(f'{where}: the field "text" is empty.', "Fill it, or take the case out.")
    gold = field_of(data, "gold", (list,), where, _FORM)
    absent = field_of({"absent": []} | data, "absent", (list,), where, _FORM)
    patients = field_of({"patients": []} | data, "patients", (list,), where, _FORM)
    for row_id in absent:
        _row(schema, row_id, where)
    return Utterance(
        id=field_of(data, "id", (str,), where, _FORM),
        phenomenon=phenomenon,
        text=text,
        gold=tuple(_gold(one, schema, where) for one in gold),
        absent=frozenset(absent),
        patients=tuple(map(str, patients)),
        context=field_of({"context": {}} | data, "context", (dict,), where, _FORM),
    )


def _gold(data: Any, schema: Schema, where: str) -> GoldValue:
    if not isinstance(data, dict):
        raise InputError(f'{where}: an entry of "gold" is not an object.', _FORM)
    _refuse_unknown_fields(data, _GOLD_FIELDS, where)
    row = _row(schema, field_of(data, "row_id", (str,), where, _FORM), where)
    try:
        value, _, _ = normalise(row, data.get("value"))
    except InputError as error:
        raise InputError(f"{where}: {error.what}", error.next_step) from error
    attributes = {name: str(data[name]) for name in ("time", "patient", "instance") if data.get(name) is not None}
    if "time" in data:
        attributes.setdefault("time", "")
    return GoldValue(row.id, value, data.get("unit"), bool(data.get("lit", False)), attributes)


def _row(schema: Schema, row_id: Any, where: str) -> Row:
    if row_id not in schema.by_id:
        raise InputError(f'{where}: the schema "{schema.name}" has no row "{row_id}".', "Correct the id.")
    return schema.row(row_id)


def _refuse_unknown_fields(data: dict[str, Any], known: frozenset[str], where: str) -> None:
    if others := sorted(set(data) - known):
        raise InputError(f'{where}: the field "{others[0]}" is not known.', f"Use one of: {', '.join(sorted(known))}.")
