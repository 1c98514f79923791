"""What is asked a second time before a value is charted: one that is alarming, or observed at a time still to come.

Also says that the clock went back, so that what is still to come was charted already.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from app.chart.cells import local_of, utc_of
from app.chart.records import ACCEPTED, Dictation, ReviewedValue
from extraction.flowsheet.ranges import Caution, OutOfRangeValue, Outside, refuse
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value
from extraction.preparation.observation_times import CLOCKS_DIFFER, MINUTE
from models.base.errors import InputError

if TYPE_CHECKING:
    from app.store import Store

_CONFIRM = "Confirm it once more if it is right, or correct the time."


def time_to_come(dictation: Dictation, observed_at: str | None, now: datetime) -> str | None:
    """The time of a value of a dictation (UTC in ISO 8601) if it lies in the future; None if it does not.

    `observed_at` as in `ReviewedValue`. Raises InputError if it is no time.
    """
    if observed_at and not _is_minute(observed_at):
        raise InputError(f"“{observed_at}” is not a time.", "Enter one like 0200, 2:00 or 2am.")
    at = utc_of(observed_at) if observed_at else dictation.created_at
    return at if datetime.fromisoformat(at) > now + CLOCKS_DIFFER else None


def entry_to_come(store: Store) -> str:
    """When the latest entry was made (UTC in ISO 8601), if that lies in the future: the clock went back. Else empty."""
    last = store.last_entry()
    return last if last and datetime.fromisoformat(last) > store.now() + CLOCKS_DIFFER else ""


def clock_words(entry: str, now: datetime) -> tuple[str, str]:
    """What is wrong with a clock that is behind an entry, and what to do about it."""
    return (
        "The clock of this computer may be wrong.",
        f"The last entry was made on {_clocks(entry, now, day=True)}. Set the clock before you record or chart.",
    )


def refuse_unconfirmed(
    row: Row,
    value: Value,
    dictation: Dictation,
    observed_at: str | None,
    now: datetime,
    confirmed: Caution | None = None,
    former: ReviewedValue | None = None,
) -> Outside | None:
    """Refuses a value that cannot be charted; returns the range that it lies outside of, if any.

    What was accepted before, in the `former` state of the value, needs no new confirmation.

    Raises:
        InputError: it is impossible for this row.
        OutOfRangeValue: it is alarming or observed at a time still to come, and that has not been `confirmed`.
    """
    told = replace(confirmed, ahead=None) if confirmed and confirmed.outside else None
    if told is None and former and former.confirmed_outside:
        told = Caution(row.id, former.value, former.confirmed_outside)
    outside, alarm = None, None
    try:
        outside = refuse(row, value, told)
    except OutOfRangeValue as error:
        alarm = error
    ahead = time_to_come(dictation, observed_at, now)
    was_accepted = former is not None and former.status in ACCEPTED and former.observed_at == observed_at
    if was_accepted or (confirmed and (confirmed.row_id, confirmed.value, confirmed.ahead) == (row.id, value, ahead)):
        ahead = None
    if alarm and not ahead:
        raise alarm
    if ahead:
        said = f"{alarm.what} It" if alarm else row.name
        asked = Caution(row.id, value, alarm.caution.outside if alarm else None, ahead)
        raise OutOfRangeValue(f"{said} is timed {_clocks(ahead, now)}.", _CONFIRM, asked)
    return outside


def _is_minute(text: str) -> bool:
    try:
        return f"{datetime.fromisoformat(text):{MINUTE}}" == text
    except ValueError:
        return False


def _clocks(ahead: str, now: datetime, *, day: bool = False) -> str:
    """A time in the future and the present one, with their days if these differ or a `day` is wanted."""
    at, clock = local_of(ahead), local_of(now.isoformat())
    if at.date() == clock.date() and not day:
        return f"{at:%H:%M}, but it is only {clock:%H:%M}"
    return f"{at.day} {at:%b %Y %H:%M}, but it is only {clock.day} {clock:%b %Y %H:%M}"
