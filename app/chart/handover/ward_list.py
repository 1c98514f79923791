"""The whole ward as one list: a line for each patient."""

from __future__ import annotations

from app.chart.gaps.words import time_ago
from app.chart.handover.entries import IF_THEN, ISSUES, TO_DO
from app.chart.handover.page import Handover
from app.chart.handover.words import NOT_CHOSEN, balance_text

WARD_HEADS = ("Bed", "Patient", "Severity", "Last charted", "Flagged", "Not charted", "Issues and to do", "If … then …")
_NAMED = 3


def ward_line(page: Handover) -> tuple[str, ...]:
    """What the list says of a patient, a cell for each of `WARD_HEADS`."""
    last = max((cell.at for cell in page.cells), default="")
    gaps = [f"{gap.row.name} {gap.hours} h" if gap.last else gap.row.name for gap in page.gaps[:_NAMED]]
    gaps += [f"{len(page.gaps) - _NAMED} more"] if len(page.gaps) > _NAMED else []
    balance = balance_text(page.balance)
    when = time_ago(last, page.prepared_at) if last else "nothing charted"
    written = [text for part in (ISSUES, TO_DO) if (text := page.written(part))]
    return (
        page.patient.bed,
        page.patient.name + (f" · MRN {page.patient.mrn}" if page.patient.mrn else ""),
        page.severity or NOT_CHOSEN,
        when + (f"; balance {balance}" if balance else ""),
        f"{page.flagged} of {len(page.cells)}",
        ", ".join(gaps),
        "\n".join(written),
        page.written(IF_THEN),
    )
