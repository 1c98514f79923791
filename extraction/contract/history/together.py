"""Which rows are charted at the same minute of the same stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from extraction.contract.row_history import LEAST_PATIENTS, LEAST_VALUES, Companion
from extraction.contract.rows.entries import EntryColumns

_MOST_COMPANIONS = 5
_LEAST_SHARE = 0.3
_MOST_MOMENTS = 2000  # of a row, evenly spread: enough for a share
_MINUTES = 24 * 60


class ChartingMoments:
    """Args: `rows`: their ids, by the place that the entries have."""

    def __init__(self, columns: EntryColumns, rows: Sequence[str]) -> None:
        self._rows = rows
        self._place = {row: place for place, row in enumerate(rows)}
        clocked = (columns.day > 0) & (columns.minute >= 0)
        at = columns.day[clocked].astype(np.int64) * _MINUTES + columns.minute[clocked]
        moment = np.unique(columns.stay[clocked].astype(np.int64) << 32 | at, return_inverse=True)[1]
        pairs, first = np.unique(moment * len(rows) + columns.row[clocked], return_index=True)
        # each row of a moment once, in order of moments
        self._moment, self._row = ((half.astype(np.int32)) for half in np.divmod(pairs, len(rows)))
        self._patient = columns.patient[clocked][first]
        self._starts = np.searchsorted(self._moment, np.arange((int(self._moment[-1]) if len(pairs) else 0) + 2))
        self._by_row = np.argsort(self._row, kind="stable")
        self._ends = np.searchsorted(self._row[self._by_row], np.arange(len(rows) + 1))

    def charted_with(self, row_id: str) -> tuple[Companion, ...]:
        """The rows that stand at many moments of a row, as far as they may be kept; the most frequent first."""
        own = self._place[row_id]
        moments = self._moment[self._by_row[self._ends[own] : self._ends[own + 1]]]
        if len(moments) > _MOST_MOMENTS:
            moments = moments[np.linspace(0, len(moments) - 1, _MOST_MOMENTS).astype(np.int64)]
        pairs = _ranges(self._starts[moments], self._starts[moments + 1])
        rows = self._row[pairs]
        counts = np.bincount(rows, minlength=len(self._rows))
        counts[own] = 0
        least = max(LEAST_VALUES, _LEAST_SHARE * len(moments))
        often = sorted(np.flatnonzero(counts >= least).tolist(), key=lambda one: (-counts[one], self._rows[one]))
        kept = [one for one in often if len(np.unique(self._patient[pairs[rows == one]])) >= LEAST_PATIENTS]
        return tuple(
            Companion(self._rows[one], round(float(counts[one]) / len(moments), 4)) for one in kept[:_MOST_COMPANIONS]
        )


def _ranges(starts: Any, ends: Any) -> Any:
    """The numbers from each start up to its end, one range after the other."""
    lengths = ends - starts
    before = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(starts, lengths) + np.arange(len(before)) - before
