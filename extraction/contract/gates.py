"""Checks of a whole contract: what an engineer shows before it is used. A failed required one forbids its use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from extraction.contract.document import validity
from extraction.contract.records import Contract, DecidedBy, Gate, SourceKind

_MOST_NAMED = 10  # lines that were set aside


def gates_of(
    contract: Contract,
    orphans: Mapping[str, int],
    guessed_types: int,
    set_aside: Sequence[tuple[str, int, str]] = (),
) -> tuple[Gate, ...]:
    """The checks of a contract.

    Args:
        orphans: ids in the dumps that no row explains, with how often they occur.
        guessed_types: rows whose type neither the export nor its values say.
        set_aside: lines of the exports that are no records: their source, the line and why.
    """
    rows = [row for row in contract.rows if not row.retired]
    ids = Counter(known for row in contract.rows for known in (row.id, *row.former_ids))
    doubles = [known for known, count in ids.items() if count > 1]
    with_cells = sum(bool(row.cells) for row in contract.rows)
    known = {(field.source, field.path) for field in contract.fields}
    linked = [link for link in contract.links if link.child in known and link.parent in known]
    leaked = _leaks(contract)
    charted = sum(row.charted > 0 for row in rows)
    decided = [role.decided_by for role in contract.roles] + [by for row in contract.rows for _, by in row.decided]
    by_rule = sum(by is DecidedBy.RULE for by in decided)
    lost = sum(orphans.values())
    total = lost + sum(row.charted for row in contract.rows)
    useful = [source for source in contract.sources if source.kind is not SourceKind.OTHER]
    valid = validity(contract)
    joined = {name for link in contract.links for name in (link.child[0], link.parent[0])}
    return (
        _required("rows", len(rows), bool(rows), f"{len(rows)} rows can be charted"),
        _required("validity", valid, valid == 1.0, "share of references that lead to a field of the exports"),
        _required(
            "links resolve",
            _share(len(linked), len(contract.links)),
            len(linked) == len(contract.links),
            f"both ends of {len(linked)} of {len(contract.links)} links exist",
        ),
        _required(
            "provenance",
            _share(with_cells, len(contract.rows)),
            with_cells == len(contract.rows),
            f"{with_cells} of {len(contract.rows)} rows name the cells they came from",
        ),
        _required(
            "duplicate ids",
            len(doubles),
            not doubles,
            f"{doubles[0]} stands for several rows" if doubles else "no id stands for two rows",
        ),
        _required(
            "people",
            len(leaked),
            not leaked,
            f"{leaked[0]} keeps what identifies people" if leaked else "nothing that identifies people is kept",
        ),
        _shown(
            "rows without a type",
            _share(guessed_types, len(rows)),
            f"{guessed_types} rows have no type in the exports, and too few values to show it",
        ),
        _shown("rows charted", _share(charted, len(rows)), f"{charted} of {len(rows)} rows occur in the dumps"),
        _shown(
            "values explained",
            _share(total - lost, total),
            f"{lost} of {total} charted values stand under ids that no source explains",
        ),
        _shown(
            "decided by rules",
            _share(by_rule, len(decided)),
            f"the model or a person made {len(decided) - by_rule} of {len(decided)} decisions",
        ),
        _shown(
            "sources joined",
            _share(sum(source.name in joined for source in useful), len(useful)),
            "share of the sources that a link joins with another one",
        ),
        _shown("lines set aside", len(set_aside), _said_of(set_aside)),
    )


def _said_of(set_aside: Sequence[tuple[str, int, str]]) -> str:
    if not set_aside:
        return "every line below a header is a record"
    named = "; ".join(f"{source}, line {line} ({why})" for source, line, why in set_aside[:_MOST_NAMED])
    more = len(set_aside) - _MOST_NAMED
    return f"not read as records: {named}{f'; and {more} more' if more > 0 else ''}"


def may_be_used(contract: Contract) -> bool:
    """Whether every required check passed."""
    return all(gate.passed for gate in contract.gates if gate.required)


def _leaks(contract: Contract) -> list[str]:
    """Fields about people of which an example is kept, and options that come from such a field."""
    about = {(field.source, field.path) for field in contract.fields if field.excluded}
    kept = [
        f"{field.source} {field.path}"
        for field in contract.fields
        if field.excluded and (field.examples or field.minimum)
    ]
    used = [
        f"row {row.id}"
        for row in contract.rows
        for cell in (*row.cells, *(cell for option in row.options for cell in option.cells))
        if (cell.source, cell.field) in about
    ]
    return [*kept, *used]


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def _required(name: str, value: float, passed: object, says: str) -> Gate:
    return Gate(name, round(float(value), 4), required=True, passed=bool(passed), says=says)


def _shown(name: str, value: float, says: str) -> Gate:
    return Gate(name, value, required=False, passed=True, says=says)
