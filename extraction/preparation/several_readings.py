"""The moments of several readings of one measurement in a sentence (`extraction.language.measuring.told_times`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extraction.language.measuring.told_times import told_times
from extraction.preparation.moment import Moment


def with_readings(text: str, shift: int, said: Sequence[Moment]) -> list[Moment]:
    """The moments of a sentence, which begins at `shift`, with the readings that were taken then and those without a
    time.

    Nothing is read of what is planned, or at the time of another clause alone.
    """
    timed = [one for one in said if not (one.planned or (one.apart and not one.is_vague))]
    told, untold = told_times(text, [(one.start - shift, one.end - shift) for one in timed])
    others = tuple((start + shift, end + shift) for start, end in untold)
    found = {
        one.start: replace(one, told=tuple((start + shift, end + shift) for start, end in of), untold=others)
        for one, of in zip(timed, told, strict=True)
    }
    return [found.get(one.start, one) for one in said]


def is_told(start: int, moment: Moment) -> bool:
    """Whether what is said at a position is a reading that was taken at a moment."""
    return any(first <= start < last for first, last in moment.told)


def is_untold(start: int, moments: Sequence[Moment]) -> bool:
    """Whether what is said at a position is a reading without a time of its own, beside others that have one."""
    return any(first <= start < last for one in moments for first, last in one.untold)
