"""Builds a contract from the tables of an export, step by step: links, keys, roles, rows, relations, checks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from extraction.contract.catalogue import Profile, Table, names_people, profile
from extraction.contract.codes.proposals import with_decided_code
from extraction.contract.errors import SourceError
from extraction.contract.gates import gates_of
from extraction.contract.history.counting import with_history
from extraction.contract.left_out.records import LeftOut
from extraction.contract.left_out.taking_in import rows_taken_in
from extraction.contract.questions import (
    Question,
    answer_of,
    is_unsure,
    link_questions,
    most_consequential,
    role_question,
    role_question_id,
    type_questions,
)
from extraction.contract.records import (
    Contract,
    ContractRow,
    DecidedBy,
    Decision,
    Exclusion,
    Field,
    FieldRole,
    FieldRoleOf,
    FieldType,
    Link,
    SourceKind,
)
from extraction.contract.relations.decisions import related_rows
from extraction.contract.rows.reading import read_rows
from extraction.contract.sources.source_table import set_aside
from extraction.contract.structure.alternate_keys import with_row_ids
from extraction.contract.structure.code_tables import code_meanings
from extraction.contract.structure.field_roles import find_roles
from extraction.contract.structure.joined_tables import separated
from extraction.contract.structure.keys import almost_keys, keys_of
from extraction.contract.structure.links import find_links
from extraction.contract.structure.outlines import outlined
from extraction.contract.structure.overflow_lines import with_options_below
from extraction.contract.structure.range_cells import with_limits_apart
from extraction.contract.structure.source_kinds import Structure
from extraction.contract.value_shapes import words_in
from extraction.contract.written_out import write_out_names
from models.base.progress import NOT_MONITORED, Progress, ProgressMonitor, stop_if

_SHARE_OF_PROFILES, _SHARE_OF_ROWS = 0.6, 0.9


@dataclass(frozen=True)
class Built:
    """A contract, and what a person may be asked about it.

    Attributes:
        orphans: ids in the dumps that no row explains, with how often they occur.
        guessed: ids of rows whose type neither the export nor its values nor a person says.
        set_aside: lines of the exports that are no records: their source, the line and why.
        left_out: lines of the lists of rows of which no row of their own was made.
        seconds: how long it took.
    """

    contract: Contract
    questions: tuple[Question, ...] = ()
    orphans: Mapping[str, int] = field(default_factory=dict)
    guessed: frozenset[str] = frozenset()
    set_aside: tuple[tuple[str, int, str], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    seconds: float = 0.0


def build_contract(
    tables: Sequence[Table],
    created_at: str,
    decisions: Sequence[Decision] = (),
    monitor: ProgressMonitor = NOT_MONITORED,
    name: str = "",
) -> Built:
    """Builds a contract.

    Args:
        tables: the sources of the export.
        created_at: UTC in ISO 8601.
        decisions: answers of persons to questions; they overrule what the rules find.
        name: the id of the contract; by default one of the rows' source.

    Raises:
        SourceError: no source lists rows, and none holds charted values.
        Cancelled: the monitor asks to stop.
    """
    if not tables:
        raise SourceError(
            "There is no table among these files.", "Choose the folder with the exports of the record system."
        )
    skipped = tuple(table.source for table in tables if not table.fields)
    exported = tables
    tables = [
        part
        for table in exported
        if table.fields
        for part in separated(outlined(with_options_below(with_limits_apart(table))))
    ]
    profiles = []
    for number, table in enumerate(tables):
        told = _teller(monitor, _SHARE_OF_PROFILES * number / len(tables), f"{table.source.name}: {{:,}} lines")
        profiles.append(profile(table, told))
    links, partial = find_links(profiles)
    answers = {decision.question: decision.answer for decision in decisions}
    links, partial = _links_decided(links, partial, answers)
    keys = [key for one in profiles for key in keys_of(one, links)]
    columns = {(one.source.name, path): column for one in profiles for path, column in one.columns.items()}
    almost = {(one.source.name, path) for one in profiles for path in almost_keys(one)}
    lists = frozenset(link.parent for link in links if not columns[link.parent].unique) - almost
    structure = Structure(tuple(keys), tuple(links), lists)
    meanings = code_meanings(tables, profiles, links)
    found = find_roles(profiles, structure, meanings, _roles_decided(profiles, answers))
    roles, kinds = found.of_fields, found.kinds
    unsure = [
        role_question(role, found.rivals[role.source, role.field], one, roles)
        for one in profiles
        for role in roles
        if role.source == one.source.name and is_unsure(role, kinds[one.source.name])
    ]
    reading = read_rows(
        with_row_ids(with_row_ids(tables, found.alternates, found.dictionaries), *found.between),
        kinds,
        {(role.source, role.field): role.role for role in roles},
        meanings,
        links,
        {place for place, column in columns.items() if column.field.is_sparse},
        {place for place, column in columns.items() if column.field.type is FieldType.TIME},
        created_at,
        _teller(monitor, _SHARE_OF_PROFILES, "{:,} charted values"),
        rows_taken_in(answers),
    )
    if not reading.rows:
        raise SourceError(
            "None of these files lists the rows of a flowsheet, and none holds charted values with their rows.",
            "Add the export with an id and a name for each row.",
        )
    named, words = write_out_names([_type_decided(row, answers) for row in reading.rows], answers)
    named = [with_decided_code(row, answers) for row in named]
    monitor.report(Progress("contract", _SHARE_OF_ROWS, f"{len(reading.entries):,} charted values are counted"))
    rows, totals = with_history(named, reading.entries, reading.charted)
    sources = tuple(replace(one.source, kind=kinds[one.source.name]) for one in profiles)
    contract = Contract(
        name or _identity(roles),
        1,
        "",
        created_at,
        (*sources, *skipped),
        _catalogue(profiles, kinds, links),
        tuple(roles),
        tuple(keys),
        tuple(links),
        rows,
        totals,
        relations=related_rows(rows, answers),
        exclusions=_exclusions(profiles),
        decisions=tuple(decisions),
    )
    guessed = [row.id for row in rows if row.id in reading.guessed and f"type:{row.id}" not in answers]
    no_records = tuple(set_aside(exported))
    gates = gates_of(contract, reading.orphans, guessed, no_records)
    questions = [*unsure, *words, *type_questions(rows, guessed), *link_questions(partial)]
    monitor.report(Progress("contract", 1.0, f"{len(rows)} rows"))
    asked = most_consequential(questions, decisions)
    contract = replace(contract, gates=gates)
    return Built(contract, tuple(asked), reading.orphans, frozenset(guessed), no_records, reading.left_out)


def _teller(monitor: ProgressMonitor, fraction: float, words: str) -> Callable[[int], None]:
    def tell(records: int) -> None:
        stop_if(monitor.cancelled)
        monitor.report(Progress("contract", fraction, words.format(records)))

    return tell


def _identity(roles: Sequence[FieldRoleOf]) -> str:
    """An id that stays the same when the same kinds of files are exported again."""
    shape = "\n".join(sorted(f"{role.source}\0{role.field}" for role in roles))
    rows = next((role.field for role in roles if role.role is FieldRole.ROW_ID), "rows")
    return f"{'-'.join(words_in(rows)) or 'rows'}-{hashlib.sha256(shape.encode()).hexdigest()[:8]}"


def _catalogue(
    profiles: Sequence[Profile], kinds: Mapping[str, SourceKind], links: Sequence[Link]
) -> tuple[Field, ...]:
    """All fields; words of charted values, and of notes to them, are no examples where nothing says whose they are."""
    unique = {(one.source.name, path) for one in profiles for path, column in one.columns.items() if column.unique}
    ends = [(link.child[0], link.parent) for link in links]
    ends += [(link.parent[0], link.child) for link in links if link.child in unique]
    notes = {name for name, to in ends if kinds[name] is SourceKind.OTHER and kinds[to[0]] is SourceKind.VALUES}
    of_charting = notes | {name for name, kind in kinds.items() if kind is SourceKind.VALUES}

    def kept(one: Profile, field: Field) -> Field:
        words = field.type is FieldType.TEXT and one.source.name in of_charting and not names_people(tuple(one.columns))
        return replace(field, examples=()) if words else field

    return tuple(kept(one, column.field) for one in profiles for column in one.columns.values())


def _exclusions(profiles: Sequence[Profile]) -> tuple[Exclusion, ...]:
    return tuple(
        Exclusion(one.source.name, column.field.path, column.field.excluded)
        for one in profiles
        for column in one.columns.values()
        if column.field.excluded
    )


# what persons decided


def _links_decided(
    links: Sequence[Link], partial: Sequence[Link], answers: Mapping[str, str]
) -> tuple[list[Link], list[Link]]:
    meant = [link for link in partial if answer_of(_link_id(link), answers) == "yes"]
    decided = [replace(link, confidence=1.0, decided_by=DecidedBy.PERSON) for link in meant]
    return [*links, *decided], [link for link in partial if link not in meant]


def _link_id(link: Link) -> str:
    return link_questions([link])[0].id


def _roles_decided(profiles: Sequence[Profile], answers: Mapping[str, str]) -> dict[tuple[str, str], FieldRole]:
    places = [(one.source.name, path) for one in profiles for path in one.columns]
    known = {role.value for role in FieldRole}
    return {
        (source, path): FieldRole(answer)
        for source, path in places
        if (answer := answer_of(role_question_id(source, path), answers)) in known
    }


def _type_decided(row: ContractRow, answers: Mapping[str, str]) -> ContractRow:
    answer = answers.get(f"type:{row.id}")
    if answer is None:
        return row
    return replace(row, value_type=answer, decided=(*row.decided, ("value_type", DecidedBy.PERSON)))
