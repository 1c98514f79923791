"""A later export extends a contract: nothing that it has is lost, so that every stored value stays readable.

Seeds: "Executable Schema Contracts", section 3.4 and appendix C: fields, rows, options and other names only grow; what
is gone upstream is retired; where a type or a unit has changed, what was there stands, and a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TypeVar

from extraction.contract.codes.proposals import is_decided, with_code
from extraction.contract.errors import ContractError
from extraction.contract.records import (
    Alias,
    Cell,
    Contract,
    ContractOption,
    ContractRow,
    Source,
)
from extraction.contract.relations.row_relations import relations_of
from extraction.contract.value_shapes import folded

Part = TypeVar("Part")

_LEAST_COMMON = 0.2
_NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two exports.

    Attributes:
        kind: `new row`, `retired`, `in use again`, `renamed`, `new option`, `option retired`, `new unit`, `range`,
            `code`, `changed` (a conflict that was decided for the later export), `conflict`, or `counted again`.
        row: its id; empty for what concerns many rows.
        says: what differs, for a person.
        question: under which a person decides it: `new` takes what the later export says, `old` keeps the row. Empty if
            there is nothing to decide.
    """

    kind: str
    row: str
    says: str
    question: str = ""

    @property
    def is_conflict(self) -> bool:
        return self.kind == "conflict"


@dataclass(frozen=True, slots=True)
class Extension:
    """An extended contract and what changed. `contract` is the former one if nothing did."""

    contract: Contract
    changes: tuple[Change, ...]


def extend(former: Contract, former_hash: str, later: Contract) -> Extension:
    """The next version of a contract.

    Args:
        former_hash: SHA-256 of the former version's document.
        later: a contract that was built from the later export by itself; its decisions about conflicts count.

    Raises:
        ContractError: the export is that of another record system: hardly any row has an id that the contract knows.
    """
    known = {row_id: row for row in former.rows for row_id in (row.id, *row.former_ids)}
    found = {row.id: row for row in later.rows}
    common = sum(row_id in known for row_id in found)
    if found and former.rows and common < _LEAST_COMMON * min(len(found), len(former.rows)):
        raise ContractError(
            f"Only {common} of the {len(found)} rows of this export have an id that the contract knows:"
            " it seems to be the export of another record system.",
            "Choose the exports of the same system, or build a contract of its own.",
        )
    changes: list[Change] = []
    heirs = {known[row_id].id: row for row_id, row in found.items() if row_id in known}
    lists_rows = any(row.cells for row in later.rows)
    taken = frozenset(decision.question for decision in later.decisions if decision.answer == "new")
    rows = [_extended(row, heirs.get(row.id), changes, taken, retire=lists_rows) for row in former.rows]
    rows += [_new(row, changes) for row in later.rows if row.id not in known]
    counted = sum(now.history != before.history for before, now in zip(former.rows, rows, strict=False))
    if counted:
        changes.append(
            Change("counted again", "", f"how {'1 row was' if counted == 1 else f'{counted} rows were'} charted")
        )
    fields = _united(former.fields, later.fields, lambda field: (field.source, field.path))
    told = {entry.partition(": ")[2] for entry in former.log}
    changes = [change for change in changes if not (change.is_conflict and f"{change.kind}: {change.says}" in told)]
    if not changes and len(fields) == len(former.fields):
        return Extension(former, ())
    contract = replace(
        former,
        version=former.version + 1,
        parent=former_hash,
        created_at=later.created_at,
        sources=_later(former.sources, later.sources),
        fields=fields,
        roles=_united(former.roles, later.roles, lambda role: (role.source, role.field)),
        keys=_united(former.keys, later.keys, lambda key: (key.source, key.fields)),
        links=_united(former.links, later.links, lambda link: (link.child, link.parent)),
        rows=tuple(rows),
        charted=later.charted or former.charted,
        relations=relations_of(rows),
        exclusions=_united(former.exclusions, later.exclusions, lambda one: (one.source, one.field)),
        decisions=_united(former.decisions, later.decisions, lambda one: (one.question,)),
        gates=later.gates,
        log=(*former.log, *(f"{former.version + 1}: {change.kind}: {change.says}" for change in changes)),
    )
    return Extension(contract, tuple(changes))


def _united(former: Sequence[Part], later: Sequence[Part], identity: Callable[[Part], object]) -> tuple[Part, ...]:
    """What there was, and after it what is new."""
    known = {identity(one) for one in former}
    return (*former, *(one for one in later if identity(one) not in known))


def _later(former: Iterable[Source], later: Iterable[Source]) -> tuple[Source, ...]:
    """The sources of the later export, and those of before that it lacks."""
    now = {source.name: source for source in later}
    kept = [now.pop(source.name, source) for source in former]
    return (*kept, *now.values())


def _new(row: ContractRow, changes: list[Change]) -> ContractRow:
    changes.append(Change("new row", row.id, f"{row.name} ({row.value_type})"))
    return row


def _extended(
    row: ContractRow, later: ContractRow | None, changes: list[Change], taken: frozenset[str], *, retire: bool
) -> ContractRow:
    def note(kind: str, says: str) -> None:
        changes.append(Change(kind, row.id, f"{row.name}: {says}"))

    def stands(what: str, now: str, before: str) -> bool:
        """Notes a conflict, or that somebody decided it for the later export; whether the row stands as it is."""
        question = f"conflict:{row.id}:{what}:{before}:{now}"
        decided = question in taken
        kind = "changed" if decided else "conflict"
        rest = f"instead of {before}" if decided else f"now; {before} stands until somebody decides"
        changes.append(Change(kind, row.id, f"{row.name}: its {what} is {now} {rest}", question))
        return not decided

    if later is None or (later.retired and not row.retired):
        if row.retired or not retire:
            return row
        note("retired", "the export has it no longer" if later is None else "no longer in use")
        return replace(row, retired=True)
    if row.retired:
        if later.retired:
            return row
        note("in use again", "the export has it again")
        row = replace(row, retired=False)
    row = _with_later_code(row, later, note, stands)
    if later.value_type != row.value_type:
        if stands("type", later.value_type, row.value_type):
            return row
        row = replace(row, value_type=later.value_type, unit=later.unit, ucum=later.ucum, history=None)
    if later.unit and row.unit and folded(later.unit) != folded(row.unit):
        if stands("unit", later.unit, row.unit):
            return row
        row = replace(row, unit=later.unit, ucum=later.ucum, history=None)
    former_names = {folded(row.name), *(folded(alias.text) for alias in row.aliases)}
    names = [later.name, *(alias.text for alias in later.aliases)]
    further = [Alias(name, "label") for name in dict.fromkeys(names) if folded(name) not in former_names]
    if further:
        note("renamed", "also called " + ", ".join(alias.text for alias in further))
    if later.unit and not row.unit:
        note("new unit", later.unit)
    if (later.minimum, later.maximum) != (row.minimum, row.maximum) and (later.minimum, later.maximum) != (None, None):
        note("range", f"{_range(later)} instead of {_range(row)}")
        row = replace(row, minimum=later.minimum, maximum=later.maximum)
    return replace(
        row,
        aliases=(*row.aliases, *further),
        former_ids=(
            *row.former_ids,
            *(row_id for row_id in later.former_ids if row_id not in (row.id, *row.former_ids)),
        ),
        categories=(*row.categories, *(path for path in later.categories if path not in row.categories)),
        options=_options(row, later, note),
        unit=row.unit or later.unit,
        ucum=row.ucum or later.ucum,
        unit_of=row.unit_of or later.unit_of,
        measured_with=row.measured_with or later.measured_with,
        charted=later.charted or row.charted,
        history=later.history or row.history,
        cells=_cells(row.cells, later.cells),
    )


def _with_later_code(
    row: ContractRow, later: ContractRow, note: Callable[[str, str], None], stands: Callable[[str, str, str], bool]
) -> ContractRow:
    """The row with its LOINC code of now: a person's decision counts, and else what stands until somebody decides."""
    if later.loinc == row.loinc:
        return with_code(row, row.loinc) if is_decided(later) and not is_decided(row) else row
    if is_decided(later):
        note("code", f"LOINC {later.loinc}" if later.loinc else f"no longer LOINC {row.loinc}")
        return with_code(row, later.loinc)
    if not later.loinc:
        return row
    if not row.loinc:
        note("code", f"LOINC {later.loinc}")
    elif stands("LOINC code", later.loinc, row.loinc):
        return row
    return replace(row, loinc=later.loinc)


def _range(row: ContractRow) -> str:
    return " to ".join("any" if bound is None else f"{bound:g}" for bound in (row.minimum, row.maximum))


def _cells(former: tuple[Cell, ...], later: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The cells of both exports, those of the same field in the later one's place."""
    now = {(cell.source, cell.field) for cell in later}
    return (*(cell for cell in former if (cell.source, cell.field) not in now), *later)


def _options(row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> tuple[ContractOption, ...]:
    forms: Mapping[str, ContractOption] = {
        folded(form): option for option in later.options for form in (option.name, *option.synonyms)
    }
    ours = {folded(form) for option in row.options for form in (option.name, *option.synonyms)}
    kept = []
    for option in row.options:
        heir = forms.get(folded(option.name))
        if heir is None:
            heir = next(
                (one for one in later.options if _respelled(option, one) and folded(one.name) not in ours), None
            )
        if heir is None or heir.retired:
            if not option.retired and later.options:
                note("option retired", option.name)
            kept.append(replace(option, retired=option.retired or bool(later.options)))
            continue
        spellings = dict.fromkeys((*option.synonyms, heir.name, *heir.synonyms))
        spellings.pop(option.name, None)
        kept.append(replace(option, synonyms=tuple(spellings), code=option.code or heir.code, retired=False))
    known = {folded(form) for option in kept for form in (option.name, *option.synonyms)}
    new = [option for option in later.options if folded(option.name) not in known]
    for option in new:
        note("new option", option.name)
    return (*kept, *new)


def _respelled(former: ContractOption, later: ContractOption) -> bool:
    """Whether an option has the same code and nearly the same name; a code with other words may mean something else."""
    if not former.code or former.code != later.code:
        return False
    return SequenceMatcher(None, folded(former.name), folded(later.name)).ratio() >= _NEARLY
