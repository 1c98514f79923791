"""Rows that a person says chart the same, or do not: alike rows are used nowhere before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from extraction.contract.errors import ContractError
from extraction.contract.questions import with_later
from extraction.contract.records import Contract, ContractRow, DecidedBy, Decision, RelationKind, RowRelation
from extraction.contract.relations.row_relations import relations_of

ALIKE = "alike:"
YES, NO, OPEN = "yes", "no", ""  # the last one takes a decision back
# what rows do, by the answer
SAYS = {YES: "chart the same", NO: "do not chart the same", OPEN: "are undecided again"}


def alike_question(rows: Iterable[str]) -> str:
    """Under which a person decides about the rows with these ids, in whatever order they stand."""
    return ALIKE + json.dumps(sorted(rows), ensure_ascii=False)


def related_rows(rows: Sequence[ContractRow], answers: Mapping[str, str]) -> tuple[RowRelation, ...]:
    """The relations of rows, alike ones as a person has decided about them.

    What was confirmed stays, whatever the rules propose now: without the rows that are gone, under the ids of today.

    Args:
        answers: of persons, by question.
    """
    today = {known: row.id for row in reversed(rows) for known in (*row.former_ids, row.id)}
    place = {row.id: at for at, row in enumerate(rows)}
    decided: dict[frozenset[str], str] = {}
    for ids, answer in _decided(answers):
        if len(meant := frozenset(today[one] for one in ids if one in today)) > 1:
            decided[meant] = answer
    found = []
    for relation in relations_of(rows):
        answer = decided.pop(frozenset(relation.rows), OPEN) if relation.kind is RelationKind.ALIKE else OPEN
        found.append(_decide(relation, answer))
    names = {row.id: row.name for row in rows}
    for meant, answer in decided.items():
        ids = tuple(sorted(meant, key=place.__getitem__))
        found.append(_decide(RowRelation(RelationKind.ALIKE, ids, names[ids[0]]), answer))
    return tuple(found)


def rows_asked(question: str) -> tuple[str, ...]:
    """The ids of the rows that a question of `alike_question` is about; none for another question."""
    if not question.startswith(ALIKE):
        return ()
    try:
        ids = json.loads(question.removeprefix(ALIKE))
    except ValueError:
        return ()
    return tuple(one for one in ids if isinstance(one, str)) if isinstance(ids, list) else ()


def _decided(answers: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for question, answer in answers.items():
        if answer in (YES, NO) and (rows := rows_asked(question)):
            yield rows, answer


def _decide(relation: RowRelation, answer: str) -> RowRelation:
    if answer == OPEN:
        return relation
    return replace(relation, confidence=float(answer == YES), decided_by=DecidedBy.PERSON)


def alike_state(relation: RowRelation) -> str:
    """Whether alike rows are decided about, in words."""
    if relation.confirmed or relation.refused:
        return "confirmed" if relation.confirmed else "refused"
    return f"not decided, {relation.confidence:.0%} sure"


def alike_rows(contract: Contract) -> dict[str, tuple[str, ...]]:
    """By the id of a row, those that a person confirmed to chart the same."""
    found: dict[str, dict[str, None]] = {}
    for relation in contract.relations:
        if relation.kind is RelationKind.ALIKE and relation.confirmed:
            for row_id in relation.rows:
                found.setdefault(row_id, {}).update(dict.fromkeys(one for one in relation.rows if one != row_id))
    return {row_id: tuple(others) for row_id, others in found.items()}


def decide_alike(contract: Contract, sha256: str, given: Mapping[str, str], by: str, at: str) -> Contract:
    """The next version of a contract, in which a person has decided about alike rows.

    Args:
        sha256: of the present version's document.
        given: `YES`, `NO` or `OPEN` by the rows' ids, joined by commas as they stand in a relation.
        at: UTC in ISO 8601.

    Raises ContractError for rows that are not proposed as alike.
    """
    alike = {",".join(one.rows): one for one in contract.relations if one.kind is RelationKind.ALIKE}
    for rows in given:
        if rows not in alike:
            raise ContractError(
                f"{rows!r} are no alike rows of this contract.", "Take the ids as 'contract alike' prints them."
            )
    decided = [Decision(alike_question(alike[rows].rows), answer, by, at) for rows, answer in given.items()]
    decisions = with_later(contract.decisions, decided)
    version = contract.version + 1
    return replace(
        contract,
        version=version,
        parent=sha256,
        created_at=at,
        relations=related_rows(contract.rows, {one.question: one.answer for one in decisions}),
        decisions=decisions,
        log=(
            *contract.log,
            *(f"{version}: alike: {alike[rows].name}: {rows} {SAYS[answer]}" for rows, answer in given.items()),
        ),
    )
