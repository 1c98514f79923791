"""Where the rows of a contract come from, and how their values go back, in words."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.contract.codes.proposals import CodeProposal, is_decided
from extraction.contract.compile import row_export
from extraction.contract.history.words import history_lines
from extraction.contract.records import Contract, ContractRow, DecidedBy, RelationKind
from extraction.contract.relations.decisions import rows_asked

_RELATIONS = {
    RelationKind.INSTANCES: "the same of several things",
    RelationKind.ALIKE: "charts the same in another way",
}
_BY = {DecidedBy.RULE: "a rule", DecidedBy.MODEL: "the language model", DecidedBy.PERSON: "a person"}


def find_rows(contract: Contract, text: str) -> list[ContractRow]:
    """The row with this id, present or former; otherwise those in whose id and names all its words occur."""
    known = [row for row in contract.rows if text in (row.id, *row.former_ids)]
    words = text.casefold().split()
    return known or [row for row in contract.rows if all(word in _searched(row) for word in words)]


def lineage(row: ContractRow, contract: Contract, proposed: Sequence[CodeProposal] = ()) -> str:
    """The chain of a row in lines: cells, what was made of them, how a filed value goes back, what is proposed.

    Args:
        proposed: codes that the row may have; they are not in use.
    """
    back = row_export(row)
    hashes = {source.name: source.sha256[:12] for source in contract.sources}
    fields: dict[tuple[str, int], list[str]] = {}
    for cell in row.cells:
        fields.setdefault((cell.source, cell.line), []).append(cell.field or "charted values")
    lines = [f"{row.id}  {row.name}", "", "from"]
    lines += [
        f"  {source} ({hashes.get(source, '?')})  line {line}  {', '.join(names)}"
        for (source, line), names in fields.items()
    ]
    lines += ["", "is"]
    lines.append(f"  {row.value_type}{f' in {row.unit}' if row.unit else ''}{' (retired)' if row.retired else ''}")
    by_person = " (given by a person)" if is_decided(row) else ""
    codes = (
        ("LOINC", f"{row.loinc}{by_person}" if row.loinc else ""),
        ("UCUM", row.ucum if row.ucum != row.unit else ""),
    )
    lines += [f"  {system} {code}" for system, code in codes if code]
    lines += [f"  also called {alias.text} ({alias.origin})" for alias in row.aliases]
    lines += [f"  formerly {former}" for former in row.former_ids]
    lines += [f"  in {' / '.join(path)}" for path in row.categories]
    lines += [
        f"  {option.code or '-':<6} {option.name}{' (retired)' if option.retired else ''}" for option in row.options
    ]
    names = {other.id: other.name for other in contract.rows}
    lines += ["", "charted"]
    lines += [f"  {line}" for line in history_lines(row.charted, row.history, names)]
    lines += ["", "goes back as", f"  {back.id}{f' in {back.unit}' if back.unit else ''}"]
    lines += [f"  {name} -> {code}" for name, code in back.options.items()]
    return "\n".join([*lines, *_proposed(row, proposed), *_relations(row, contract)])


def _proposed(row: ContractRow, proposed: Sequence[CodeProposal]) -> list[str]:
    others = [one for one in proposed if one.code != row.loinc]
    if not others or row.loinc or is_decided(row):
        return []
    return ["", "proposed codes, not in use", *(f"  LOINC {one.code}  {one.name} ({how_sure(one)})" for one in others)]


def how_sure(proposal: CodeProposal) -> str:
    """How well a proposed code agrees, in words."""
    return "agrees exactly" if proposal.exact else f"{proposal.score:.0%} sure"


def _relations(row: ContractRow, contract: Contract) -> list[str]:
    """The rows that belong with a row, proposed or decided about: none of them is merged."""
    names = {one.id: one.name for one in contract.rows}
    deciders = {frozenset(rows_asked(one.question)): one.by for one in contract.decisions}
    lines = []
    for relation in contract.relations:
        if row.id in relation.rows:
            about = f"{relation.confidence:.0%} sure, by {_BY[relation.decided_by]}"
            if relation.confirmed or relation.refused:
                by = deciders.get(frozenset(relation.rows), "a person")
                about = f"{'confirmed' if relation.confirmed else 'refused'} by {by}"
            lines += ["", f"{_RELATIONS[relation.kind]}: {relation.name} ({about})"]
            lines += [f"  {one}  {names.get(one, '?')}" for one in relation.rows if one != row.id]
    return lines


def _searched(row: ContractRow) -> str:
    return " ".join((row.id, row.name, *(alias.text for alias in row.aliases))).casefold()
