"""Checks of a whole contract: what an engineer shows before it is used. A failed required one forbids its use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from extraction.contract.document import validity
from extraction.contract.records import Contract, DecidedBy, Gate, SourceKind

_VALUES_EXPLAINED, _WITHOUT_TYPE, _SET_ASIDE = "values explained", "rows without a type", "lines set aside"
_MOST_NAMED = 10  # lines that were set aside


def gates_of(
    contract: Contract,
    orphans: Mapping[str, int],
    guessed: Collection[str],
    set_aside: Sequence[tuple[str, int, str]] = (),
) -> tuple[Gate, ...]:
    """The checks of a contract.

    Args:
        orphans: ids in the dumps that no row of the export explains, with how often they occur.
        guessed: ids of rows whose type neither the export nor its values say.
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
    lost = sum(count for known_id, count in orphans.items() if known_id not in ids)
    untyped = sum(row.id in guessed for row in rows)
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
            _WITHOUT_TYPE,
            _share(untyped, len(rows)),
            f"{untyped} rows have no type in the exports, and too few values to show it",
        ),
        _shown("rows charted", _share(charted, len(rows)), f"{charted} of {len(rows)} rows occur in the dumps"),
        _shown(
            _VALUES_EXPLAINED,
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
        _shown(_SET_ASIDE, len(set_aside), _said_of(set_aside)),
    )


def gates_without_export(contract: Contract) -> tuple[Gate, ...]:
    """The checks of a contract after a decision; those that need the export stand as they were."""
    of_export = (_VALUES_EXPLAINED, _WITHOUT_TYPE, _SET_ASIDE)
    stands = {gate.name: gate for gate in contract.gates if gate.name in of_export}
    return tuple(stands.get(gate.name, gate) for gate in gates_of(contract, {}, ()))


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure of a contract under the name that it has in "Executable Schema Contracts", appendix B.7.2.

    Attributes:
        value: a share; None where there is nothing to count.
    """

    name: str
    value: float | None
    says: str


def figures(contract: Contract) -> tuple[Figure, ...]:
    """The measures of a contract; `SchTime` is that of reading, and not among them."""
    rows = [row for row in contract.rows if not row.retired]
    useful = {source.name for source in contract.sources if source.kind is not SourceKind.OTHER}
    pairs = [frozenset(pair) for pair in combinations(sorted(useful), 2)]
    ends = [frozenset((link.child[0], link.parent[0])) for link in contract.links]
    joined = sum(pair in ends for pair in pairs)
    used = sum(one <= useful for one in ends)
    known = {(field.source, field.path) for field in contract.fields}
    resolved = sum(link.child in known and link.parent in known for link in contract.links)
    charted, from_cells = sum(row.charted > 0 for row in rows), sum(bool(row.cells) for row in contract.rows)
    return (
        _figure("XSrcUtil", joined, len(pairs), "pairs of tables in use are joined by a link"),
        _figure("SchUtil", charted, len(rows), "rows in use occur among the charted values"),
        _figure("RelUse", used, len(ends), "links join tables that rows are made of"),
        _figure("LinkVal", resolved, len(ends), "links have both ends in the exports"),
        _figure("ProvCom", from_cells, len(contract.rows), "rows name the cells they came from"),
    )


def _figure(name: str, part: int, whole: int, of_what: str) -> Figure:
    return Figure(name, part / whole if whole else None, f"{part:,} of {whole:,} {of_what}")


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
