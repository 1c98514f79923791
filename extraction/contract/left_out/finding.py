"""Finds what the lists of rows hold and the rows in use lack, so that every line of them is accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from extraction.contract.left_out.records import LeftOut, Reason
from extraction.contract.records import Contract, ContractRow


def rows_left_out(
    contract: Contract,
    found: Contract,
    lines: Sequence[LeftOut],
    set_aside: Iterable[tuple[str, int, str]],
    orphans: Mapping[str, int],
) -> tuple[LeftOut, ...]:
    """All that the exports list and a contract does not use.

    Args:
        contract: as it would be used; `found`: of these exports by themselves.
        lines: of the lists of rows, those of which no row of their own was made.
        set_aside: lines that are no records: their source, the line and why.
        orphans: ids in the dumps that no row explains, with how often they occur.
    """
    listed = {row.id for row in found.rows}
    known = {row_id for row in contract.rows for row_id in row.former_ids}
    own = {row.id for row in contract.rows}
    retired = [_retired(row, listed) for row in contract.rows if row.retired]
    aside = [LeftOut(Reason.NO_RECORD, says=why, source=source, line=line) for source, line, why in set_aside]
    unlisted = [
        LeftOut(Reason.UNLISTED, row, says=f"{count:,} values" if count > 1 else "1 value")
        for row, count in orphans.items()
        if row not in own | known
    ]
    doubles = [one for one in lines if one.reason is not Reason.DOUBLE or one.row not in own]
    return (*retired, *doubles, *aside, *unlisted)


def _retired(row: ContractRow, listed: Set[str]) -> LeftOut:
    cell = row.cells[0] if row.cells else None
    reason = Reason.RETIRED if row.id in listed else Reason.GONE
    says = f"{row.charted:,} charted values" if row.charted else ""
    return LeftOut(reason, row.id, row.name, says, cell.source if cell else "", cell.line if cell else 0)


def counted(left_out: Iterable[LeftOut]) -> dict[Reason, int]:
    """How many are left out for each reason, in the order of the reasons."""
    counts = Counter(one.reason for one in left_out)
    return {reason: counts[reason] for reason in Reason if counts[reason]}
