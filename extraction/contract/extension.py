"""A later export extends a contract: nothing that it has is lost, so that every stored value stays readable.

Seeds: "Executable Schema Contracts", section 3.4 and appendix C: fields, rows, options and other names only grow; what
is gone upstream is retired; where a name, a type or a unit has changed, what was there stands, and a person decides,
then or later. What is said of the exports themselves (roles, keys, links) is what the latest one showed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from extraction.contract.build import Built
from extraction.contract.errors import ContractError
from extraction.contract.gates import gates_of, gates_without_export
from extraction.contract.left_out.taking_in import rows_taken_in
from extraction.contract.questions import USE, answer_of, role_question_id, with_later
from extraction.contract.records import Conflict, Contract, ContractRow, Decision, FieldRole, SourceKind
from extraction.contract.relations.decisions import SAYS, related_rows, rows_asked
from extraction.contract.row_extension import Change, RowExtension

Part = TypeVar("Part")

_LEAST_COMMON = 0.2


@dataclass(frozen=True, slots=True)
class Extension:
    """An extended contract and what changed. `contract` is the former one if nothing did."""

    contract: Contract
    changes: tuple[Change, ...]


def extend(former: Contract, former_hash: str, later: Built) -> Extension:
    """The next version of a contract; the former one itself if it says all that the later export says.

    Args:
        former_hash: SHA-256 of the former version's document.
        later: what was built from the later export by itself, with all decisions of persons.

    Raises:
        ContractError: the export is that of another record system: hardly any row has an id that the contract knows.
    """
    found = later.contract
    heirs = {row.id: row for row in found.rows}
    _check_common(former, found)
    decisions = with_later(former.decisions, found.decisions)
    merge = RowExtension(
        {decision.question: decision.answer for decision in decisions}, later.guessed, _other_columns(former, found)
    )
    lists_rows = any(source.kind is SourceKind.DICTIONARY for source in found.sources)
    rows = [_grown(row, heirs.get(row.id), former.conflicts, merge, lists_rows=lists_rows) for row in former.rows]
    known = {row.id for row in former.rows}
    for row in found.rows:
        if row.id not in known:
            merge.changes.append(Change("new row", row.id, f"{row.name} ({row.value_type})"))
            rows.append(row)
    rows = _each_id_once(rows, former, merge.changes)
    if counted := sum(now.history != before.history for before, now in zip(former.rows, rows, strict=False)):
        says = "how 1 row was charted" if counted == 1 else f"how {counted} rows were charted"
        merge.changes.append(Change("counted again", "", says))
    merge.changes += _changed_tables(former, found)
    read = {source.name for source in found.sources}
    extended = replace(
        former,
        sources=_latest(former.sources, found.sources, lambda source: source.name),
        fields=_latest(former.fields, found.fields, lambda field: (field.source, field.path)),
        roles=_latest(former.roles, found.roles, lambda role: (role.source, role.field)),
        keys=(*(key for key in former.keys if key.source not in read), *found.keys),
        links=(*(link for link in former.links if link.child[0] not in read), *found.links),
        rows=tuple(rows),
        charted=found.charted or former.charted,
        relations=related_rows(rows, merge.answers),
        exclusions=_latest(former.exclusions, found.exclusions, lambda one: (one.source, one.field)),
    )
    extended = replace(extended, gates=gates_of(extended, later.orphans, later.guessed, later.set_aside))
    return _next_version(former, former_hash, extended, merge, decisions, found.created_at)


def decide(former: Contract, former_hash: str, decisions: Sequence[Decision], created_at: str) -> Extension:
    """The next version of a contract, in which a person has decided about conflicts that earlier exports left.

    Raises ContractError for a question that is no conflict of the contract.
    """
    known = {conflict.question for conflict in former.conflicts}
    if unknown := next((one.question for one in decisions if one.question not in known), ""):
        listed = "; ".join(sorted(known)) or "none"
        raise ContractError(f"{unknown!r} is no conflict of this contract.", f"Its conflicts are: {listed}.")
    both = with_later(former.decisions, decisions)
    merge = RowExtension({decision.question: decision.answer for decision in both})
    rows = [_grown(row, None, former.conflicts, merge, lists_rows=False) for row in former.rows]
    extended = replace(former, rows=tuple(rows), relations=related_rows(rows, merge.answers))
    extended = replace(extended, gates=gates_without_export(extended))
    return _next_version(former, former_hash, extended, merge, both, created_at)


def standing(contract: Contract) -> tuple[Change, ...]:
    """What later exports said otherwise and nobody has taken, with who decided to keep what was there."""
    names = {row.id: row.name for row in contract.rows}
    by = {one.question: one.by for one in contract.decisions if one.answer == "old"}
    return tuple(
        Change(
            "conflict",
            one.row,
            f"{names.get(one.row, one.row)}: its {one.what} is {one.now} in an export; {one.before} "
            + (f"was kept by {by[one.question]}" if one.question in by else "stands until somebody decides"),
            one.question,
        )
        for one in contract.conflicts
    )


def _check_common(former: Contract, found: Contract) -> None:
    known = {row_id for row in former.rows for row_id in (row.id, *row.former_ids)}
    common = sum(not known.isdisjoint((row.id, *row.former_ids)) for row in found.rows)
    if found.rows and former.rows and common < _LEAST_COMMON * min(len(found.rows), len(former.rows)):
        raise ContractError(
            f"Only {common} of the {len(found.rows)} rows of this export have an id that the contract knows:"
            " it seems to be the export of another record system.",
            "Choose the exports of the same system, or build a contract of its own.",
        )


def _other_columns(former: Contract, found: Contract) -> frozenset[FieldRole]:
    """The roles that a person has given to, or taken from, a column since the former version."""
    before = {(role.source, role.field): role.role for role in former.roles}
    known = {(one.question, one.answer) for one in former.decisions}
    new = {one.question: one.answer for one in found.decisions if (one.question, one.answer) not in known}
    decided = [role for role in found.roles if answer_of(role_question_id(role.source, role.field), new) == role.role]
    pairs = [(before.get((role.source, role.field)), role.role) for role in decided]
    return frozenset(role for was, now in pairs if was is not now for role in (was, now) if role)


def _changed_tables(former: Contract, found: Contract) -> list[Change]:
    """Tables and columns that the contract lacks, and columns that hold something else now."""
    tables = {source.name for source in former.sources}
    columns = {(field.source, field.path) for field in former.fields}
    before = {(role.source, role.field): role.role for role in former.roles}
    return [
        *(Change("new table", "", one.name) for one in found.sources if one.name not in tables),
        *(
            Change("new column", "", f"{one.path} of {one.source}")
            for one in found.fields
            if one.source in tables and (one.source, one.path) not in columns
        ),
        *(
            Change("column", "", f"{one.field} of {one.source} is {one.role} instead of {was}")
            for one in found.roles
            if (was := before.get((one.source, one.field), one.role)) is not one.role
        ),
    ]


def _grown(
    row: ContractRow,
    later: ContractRow | None,
    conflicts: Iterable[Conflict],
    merge: RowExtension,
    *,
    lists_rows: bool,
) -> ContractRow:
    """A row as the later export extends it; one that is not in use there, as a person has decided about it since."""
    if later is not None and not later.retired:
        return merge.extended(row, later)
    if left := [conflict for conflict in conflicts if conflict.row == row.id]:
        if any(merge.answers.get(conflict.question) == "new" for conflict in left):
            row = replace(merge.extended(replace(row, retired=False), left[0].found), retired=row.retired)
        else:
            merge.conflicts += left
    if later is None and row.retired and row.id in rows_taken_in(merge.answers):
        merge.changes.append(Change("in use again", row.id, f"{row.name}: a person takes it in"))
        return replace(row, retired=False)
    if row.retired or (later is None and (not lists_rows or row.id in rows_taken_in(merge.answers))):
        return row
    says = "no longer in use" if later else "the export has it no longer"
    merge.changes.append(Change("retired", row.id, f"{row.name}: {says}"))
    return replace(row, retired=True)


def _each_id_once(rows: Sequence[ContractRow], former: Contract, changes: list[Change]) -> list[ContractRow]:
    """The rows without former ids that are rows themselves, or former ids of a row that had them before."""
    own = {row.id for row in rows}
    holder = {former_id: row.id for row in reversed(former.rows) for former_id in row.former_ids}
    for row in rows:
        for former_id in row.former_ids:
            holder.setdefault(former_id, row.id)
    had = {row.id: row.former_ids for row in former.rows}
    told = "\n".join(former.log)
    kept = []
    for row in rows:
        stay = tuple(one for one in row.former_ids if one not in own and holder[one] == row.id)
        for lost in [one for one in row.former_ids if one not in stay]:
            before = lost in had.get(row.id, ())
            if lost in own:
                says = f"{lost} is a row of its own again" if before else f"{lost}, which it replaces, stays readable"
            else:
                says = f"{lost} stays with {holder[lost]}"
            if (before or row.id not in had or lost not in own) and f": {row.name}: {says}" not in told:
                changes.append(Change("former id", row.id, f"{row.name}: {says}"))
        kept.append(replace(row, former_ids=stay))
    return kept


def _next_version(
    former: Contract,
    former_hash: str,
    extended: Contract,
    merge: RowExtension,
    decisions: tuple[Decision, ...],
    created_at: str,
) -> Extension:
    """The sufficiency gate: a new version only if something was added or decided."""
    before = {one.question for one in former.conflicts}
    changes = [one for one in merge.changes if not (one.is_conflict and one.question in before)]
    still = [*(one.question for one in merge.changes), *(one.question for one in merge.conflicts)]
    changes += [
        Change("settled", one.row, f"its {one.what} is {one.before} in the exports again, as it stands")
        for one in former.conflicts
        if not any(question.startswith((one.about, f"conflict:{one.row}:type:")) for question in still)
    ]
    given = {one.question: one.answer for one in former.decisions}
    told = {one.question for one in changes} | {f"loinc:{one.row}" for one in changes if one.kind == "code"}
    changes += [
        Change("decided", "", f"{_decision_words(one, extended)} ({one.by})")
        for one in decisions
        if given.get(one.question, "") != one.answer and one.question not in told
    ]
    if not changes:
        return Extension(former, ())
    version = former.version + 1
    contract = replace(
        extended,
        version=version,
        parent=former_hash,
        created_at=created_at,
        decisions=decisions,
        conflicts=tuple(merge.conflicts),
        log=(*former.log, *(f"{version}: {change.kind}: {change.says}" for change in changes)),
    )
    return Extension(contract, tuple(changes))


def _decision_words(one: Decision, contract: Contract) -> str:
    """A question and its answer, with rows by their names."""
    names = {row.id: row.name for row in contract.rows}
    if rows := rows_asked(one.question):
        return f"{' and '.join(names.get(row, row) for row in rows)} {SAYS[one.answer]}"
    if one.question.startswith(USE):
        row = one.question.removeprefix(USE)
        return f"{names.get(row, row)} is {'used all the same' if one.answer == 'yes' else 'left to the exports'}"
    return f"{one.question} = {one.answer}"


def _latest(former: Sequence[Part], later: Sequence[Part], identity: Callable[[Part], object]) -> tuple[Part, ...]:
    """What there was, as it is said last, and after it what is new."""
    now = {identity(one): one for one in later}
    kept = [now.pop(identity(one), one) for one in former]
    return (*kept, *now.values())
