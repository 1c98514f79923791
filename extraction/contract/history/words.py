"""The history of a row in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extraction.contract.row_history import NumberHistory, RowHistory
from extraction.flowsheet.schema import PRESSURES

_HOUR, _DAY = 60, 24 * 60


def history_lines(charted: int, history: RowHistory | None, names: Mapping[str, str]) -> Iterator[str]:
    """How a row was charted, one fact a line.

    Args:
        charted: its values in the dumps, however few.
        names: of rows, by id.
    """
    if history is None:
        yield f"{charted:,} times, too few for more" if charted else "never, in what was exported"
        return
    yield f"{history.count:,} times for {history.patients:,} patients" + (
        f", last in {history.last}" if history.last else ""
    )
    shares = (("stays", history.stays), ("days", history.days), ("shifts", history.shifts))
    if told := ", ".join(f"{percent(share)} of {name}" for name, share in shares if share is not None):
        yield f"in {told}"
    if history.interval is not None and history.long_interval is not None:
        yield f"every {duration(history.interval)}; nine of ten times within {duration(history.long_interval)}"
    parts = PRESSURES if len(history.numbers) == len(PRESSURES) else ("",)
    yield from (f"{part} {_numbers(one)}".strip() for part, one in zip(parts, history.numbers, strict=False))
    yield from (f"{percent(one.count / history.count):>5}  {one.name}" for one in history.options)
    if history.together:
        yield "with " + ", ".join(f"{names.get(one.row, one.row)} ({percent(one.share)})" for one in history.together)


def charted_text(charted: int, history: RowHistory | None) -> str:
    """How often a row was charted, in a few words; `charted` is the number of its values, however few."""
    if history and history.days is not None:
        return f"{percent(history.days)} of days"
    return f"{charted:,} times" if charted else "never"


def _numbers(one: NumberHistory) -> str:
    at = dict(one.quantiles)
    middle = f"; half of them {at[0.25]:g} to {at[0.75]:g}" if {0.25, 0.75} <= at.keys() else ""
    return f"{one.lowest:g} to {one.highest:g}{middle}"


def percent(share: float) -> str:
    """A share as a percentage, such as `64%`; small ones are not rounded to nothing."""
    return f"{100 * share:.0f}%" if share >= 0.01 or not share else "<1%"


def duration(minutes: int) -> str:
    """Minutes as a person says them, such as `45 min`, `4 h` or `2.5 days`."""
    if minutes < 2 * _HOUR:
        return f"{minutes} min"
    return f"{minutes / _HOUR:.2g} h" if minutes < 2 * _DAY else f"{minutes / _DAY:.2g} days"
