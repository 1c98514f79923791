"""A handover in words, the same on the screen, on paper and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.chart.gaps.words import said, time_ago
from app.chart.handover.entries import HandoverEntry
from app.chart.handover.layout import SectionKind
from app.chart.handover.page import Handover, HandoverBalance, HandoverCell, HandoverGap, HandoverPart

_DIRECTIONS = {"rising": "↑ rising", "falling": "↓ falling", "steady": "→ steady", "varying": "↕ varying"}
_MOST_GAPS = 12
NOT_CHOSEN, NOT_WRITTEN, NOTHING = "not chosen", "nothing written", "nothing charted"


@dataclass(frozen=True, slots=True)
class HandoverLine:
    """A line of a section.

    Attributes:
        name: of the row; empty for a text.
        content: the value, or what was written.
        note: when it was observed and where it comes from.
        flagged: why it was flagged; empty if it was not.
        dictation_id: the dictation of the value; 0 for what a person wrote.
    """

    name: str
    content: str
    note: str = ""
    flagged: str = ""
    dictation_id: int = 0


def part_lines(part: HandoverPart, now: str) -> list[HandoverLine]:
    """The lines of a section as seen from `now` (UTC); one that says so if there is nothing."""
    match part.section.kind:
        case SectionKind.SEVERITY:
            return [_written(part.entry, now) if part.entry else HandoverLine("", NOT_CHOSEN)]
        case SectionKind.TYPED:
            return [_written(part.entry, now) if part.entry else HandoverLine("", NOT_WRITTEN)]
        case SectionKind.GAPS:
            return list(_gap_lines(part.gaps, now)) or [HandoverLine("", "no gap")]
    lines = [_cell(cell, now) for cell in part.cells]
    if part.section.kind is SectionKind.BALANCE:
        lines[:0] = [_balance(part.balance)] if part.balance else []
    return lines or [HandoverLine("", NOTHING)]


def summary(page: Handover) -> str:
    """Of how much a page was made: "Prepared from 6 dictations, 41 confirmed values, 2 flagged"."""
    values = _count(len(page.cells), "confirmed value")
    text = f"Prepared from {_count(page.dictations, 'dictation')}, {values}, {page.flagged} flagged"
    if page.older:
        text += f". {_count(page.older, 'older value')} not shown"
    if page.unreviewed:
        text += f". {_count(page.unreviewed, 'dictation')} not fully reviewed: proposals are not in it"
    return text


def identity(page: Handover) -> str:
    """The patient in one line: 'Novak, Anna · born 1950-02-03 · MRN 123456 · bed 14B'."""
    one = page.patient
    number = f"{'temporary no.' if one.temporary else 'MRN'} {one.mrn}" if one.mrn else ""
    born, bed = f"born {one.birth_date}" if one.birth_date else "", f"bed {one.bed}" if one.bed else ""
    return " · ".join(filter(None, (one.name, born, number, bed)))


def balance_text(balance: HandoverBalance | None) -> str:
    """The balance of a shift in short: '+250 mL'; what is not charted is said to be so, and is no zero."""
    if balance is None:
        return ""
    if balance.net is not None:
        return f"{balance.net:+.0f} mL"
    return f"in {_volume(balance.intake)}, out {_volume(balance.output)}"


def gap_words(gap: HandoverGap, now: str) -> str:
    """How long a row has been a gap: 'for 14 h, last 19:40 yesterday: 4'."""
    if gap.last is None:
        return "not charted in this stay"
    return f"for {gap.hours} h, last {time_ago(gap.last.at, now)}: {said(gap.row, gap.last.value)}"


def _written(entry: HandoverEntry, now: str) -> HandoverLine:
    return HandoverLine("", entry.content, f"{entry.reviewer}, {time_ago(entry.written_at, now)}")


def _cell(cell: HandoverCell, now: str) -> HandoverLine:
    way = f"{_DIRECTIONS[cell.direction]} over {cell.before + 1} values" if cell.direction else ""
    note = " · ".join(filter(None, (time_ago(cell.at, now), way, cell.source)))
    return HandoverLine(
        cell.row.name, said(cell.row, cell.value), note, "; ".join(cell.flagged), cell.value.dictation_id
    )


def _balance(balance: HandoverBalance) -> HandoverLine:
    parts = [f"in {_volume(balance.intake)}", f"out {_volume(balance.output)}"]
    parts += [f"balance {balance.net:+.0f} mL"] if balance.net is not None else []
    parts += [f"{_count(balance.uncounted, 'value')} without a volume"] if balance.uncounted else []
    start, end = (moment.replace("T", " ") for moment in (balance.start, balance.end))
    return HandoverLine("Balance", ", ".join(parts), f"{start} to {end[11:] if end[:10] == start[:10] else end}")


def _gap_lines(gaps: tuple[HandoverGap, ...], now: str) -> Iterator[HandoverLine]:
    for gap in gaps[:_MOST_GAPS]:
        source = (gap.last.source, gap.last.value.dictation_id) if gap.last else ("", 0)
        yield HandoverLine(gap.row.name, gap_words(gap, now), source[0], dictation_id=source[1])
    if (more := len(gaps) - _MOST_GAPS) > 0:
        yield HandoverLine("", f"and {_count(more, 'other row')}")


def _volume(volume: float | None) -> str:
    return "not charted" if volume is None else f"{volume:.0f} mL"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
