"""How one row grows by what a later export says of it, and where it stands as it is until a person decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from extraction.contract.codes.proposals import is_decided, with_code
from extraction.contract.records import (
    Alias,
    Cell,
    Conflict,
    ContractOption,
    ContractRow,
    DecidedBy,
    FieldRole,
)
from extraction.contract.value_shapes import folded

_NEARLY = 0.8
# the role of the column that says it
_SAID_BY = {
    "type": FieldRole.VALUE_TYPE,
    "unit": FieldRole.UNIT,
    "name": FieldRole.ROW_NAME,
    "LOINC code": FieldRole.LOINC,
}


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two exports, or a decision.

    Attributes:
        kind: `new row`, `retired`, `in use again`, `renamed`, `new option`, `option retired`, `option in use again`,
            `new unit`, `range`, `former id`, `code`, `conflict`, `changed` (a conflict that was decided for the later
            export), `settled` (a conflict that the exports no longer have), `counted again`, `new table`, `new column`,
            `column` (it holds something else now) or `decided`.
        row: its id; empty where it is about no row, or about many.
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


@dataclass
class RowExtension:
    """Extends rows by a later export.

    Attributes:
        answers: of persons, by question.
        guessed: rows of which the later export does not show the type.
        other_columns: roles for which a person chose another column; what it says is taken.
        changes: what differed so far; `conflicts`: what was left as it is, whether it is new or not.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    guessed: Collection[str] = ()
    other_columns: Collection[FieldRole] = ()
    changes: list[Change] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def extended(self, row: ContractRow, later: ContractRow) -> ContractRow:
        """A row with everything that the later export adds to it, in use; nothing that it has is lost."""

        def note(kind: str, says: str) -> None:
            self.changes.append(Change(kind, row.id, f"{row.name}: {says}"))

        if row.retired:
            note("in use again", "the export has it again")
        named = self._named(replace(row, retired=False), later, note)
        measured = self._measured(self._coded(named, later, note), later, note)
        return named if measured is None else _with_details(measured, later, note)

    def _takes(self, row: ContractRow, later: ContractRow, what: str, now: str, before: str) -> bool:
        """Notes a conflict, or that somebody decided it for the later export; whether that is taken."""
        conflict = Conflict(row.id, what, before, now, later)
        by_person = ("value_type", DecidedBy.PERSON)
        says_so = what == "type" and by_person in later.decided and by_person not in row.decided
        by_itself = says_so or _SAID_BY.get(what) in self.other_columns
        taken = self.answers.get(conflict.question, "new" if by_itself else "old") == "new"
        rest = f"instead of {before}" if taken else f"now; {before} stands until somebody decides"
        if not taken:
            self.conflicts.append(conflict)
        self.changes.append(
            Change(
                "changed" if taken else "conflict",
                row.id,
                f"{row.name}: its {what} is {now} {rest}",
                conflict.question,
            )
        )
        return taken

    def _named(self, row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> ContractRow:
        """A row with all names, groups and former ids of both."""
        known = {folded(row.name), *(folded(alias.text) for alias in row.aliases)}
        further = [
            alias
            for alias in dict.fromkeys((Alias(later.name, "label"), *later.aliases))
            if folded(alias.text) not in known
        ]
        if further:
            note("renamed", "also called " + ", ".join(dict.fromkeys(alias.text for alias in further)))
        name, aliases = row.name, (*row.aliases, *further)
        if folded(later.name) != folded(row.name) and self._takes(row, later, "name", later.name, row.name):
            name = later.name
            aliases = (Alias(row.name, "label"), *(one for one in aliases if folded(one.text) != folded(later.name)))
        groups = () if FieldRole.CATEGORY in self.other_columns else row.categories
        return replace(
            row,
            name=name,
            aliases=aliases,
            former_ids=tuple(dict.fromkeys((*row.former_ids, *later.former_ids))),
            categories=tuple(dict.fromkeys((*groups, *later.categories))),
            charted=later.charted or row.charted,
        )

    def _coded(self, row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> ContractRow:
        """A row with its LOINC code of now: a person's decision counts, and else what stands until somebody decides."""
        if later.loinc == row.loinc:
            return with_code(row, row.loinc) if is_decided(later) and not is_decided(row) else row
        if is_decided(later):
            note("code", f"LOINC {later.loinc}" if later.loinc else f"no longer LOINC {row.loinc}")
            return with_code(row, later.loinc)
        if not later.loinc:
            return row
        if not row.loinc:
            note("code", f"LOINC {later.loinc}")
        elif not self._takes(row, later, "LOINC code", later.loinc, row.loinc):
            return row
        return replace(row, loinc=later.loinc)

    def _measured(self, row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> ContractRow | None:
        """A row with the type and unit that it has from now on; None if another one waits for a decision."""
        if later.value_type != row.value_type and later.id not in self.guessed:
            if not self._takes(row, later, "type", later.value_type, row.value_type):
                return None
            decided = (*row.decided, *(one for one in later.decided if one not in row.decided))
            row = replace(_with_range(row, later), value_type=later.value_type, decided=decided)
            return replace(row, unit=later.unit, ucum=later.ucum, history=None)
        if later.unit and row.unit and folded(later.unit) != folded(row.unit):
            if not self._takes(row, later, "unit", later.unit, row.unit):
                return None
            # limits and figures are in the unit
            return replace(_with_range(row, later), unit=later.unit, ucum=later.ucum, history=None)
        if later.unit and not row.unit:
            note("new unit", later.unit)
            return replace(row, unit=later.unit, ucum=later.ucum)
        return row


def _with_details(row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> ContractRow:
    """A row with everything else that the later export adds."""
    limited = _with_range(row, _with_former_limits(later, row))
    if limited != row:
        note("range", f"{_range(limited)} instead of {_range(row)}")
        row = limited
    counted = later.history if later.value_type == row.value_type else None
    return replace(
        row,
        options=_options(row, later, note),
        ucum=row.ucum or later.ucum,
        unit_of=row.unit_of or later.unit_of,
        measured_with=row.measured_with or later.measured_with,
        history=counted or row.history,
        cells=_cells(row.cells, later.cells),
    )


def _with_range(row: ContractRow, later: ContractRow) -> ContractRow:
    return replace(row, minimum=later.minimum, maximum=later.maximum)


def _with_former_limits(later: ContractRow, row: ContractRow) -> ContractRow:
    """A later row with the former limit where it gives none, unless both would contradict each other."""
    low = row.minimum if later.minimum is None else later.minimum
    high = row.maximum if later.maximum is None else later.maximum
    return later if low is not None and high is not None and low > high else replace(later, minimum=low, maximum=high)


def _range(row: ContractRow) -> str:
    return " to ".join("any" if bound is None else f"{bound:g}" for bound in (row.minimum, row.maximum))


def _cells(former: tuple[Cell, ...], later: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The cells of both exports, those of the same field in the later one's place."""
    now = {(cell.source, cell.field) for cell in later}
    return (*(cell for cell in former if (cell.source, cell.field) not in now), *later)


def _options(row: ContractRow, later: ContractRow, note: Callable[[str, str], None]) -> tuple[ContractOption, ...]:
    """The options of both; those that a later list lacks are retired, but not those that were not charted lately."""
    forms: Mapping[str, ContractOption] = {
        folded(form): option for option in later.options for form in (option.name, *option.synonyms)
    }
    ours = {folded(form) for option in row.options for form in (option.name, *option.synonyms)}
    listed = any(option.cells for option in later.options)
    kept = []
    for option in row.options:
        heir = forms.get(folded(option.name))
        if heir is None:
            heir = next(
                (one for one in later.options if _respelled(option, one) and folded(one.name) not in ours), None
            )
        if heir is None or heir.retired:
            retires = listed and not option.retired
            if retires:
                note("option retired", option.name)
            kept.append(replace(option, retired=option.retired or retires))
            continue
        if option.retired:
            note("option in use again", option.name)
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
