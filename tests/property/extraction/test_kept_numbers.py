"""Whatever was charted, a kept number is one at or beyond which enough values of enough patients lie."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extraction.contract.history.counting import with_history
from extraction.contract.records import ContractRow
from extraction.contract.row_history import LEAST_PATIENTS, LEAST_VALUES
from extraction.contract.rows.entries import Entries

CHARTED = st.lists(st.tuples(st.integers(0, 6), st.integers(-20, 20)), max_size=60)


@given(CHARTED)
def test_kept_numbers_belong_to_many(charted: list[tuple[int, int]]) -> None:
    entries = Entries()
    for patient, number in charted:
        entries.add("values.csv", "1", f"P{patient}", "", "", "", str(number), "")
    rows, totals = with_history([ContractRow("1", "Change of weight", "numeric")], entries, {})
    patients, numbers = np.array([one for one, _ in charted]), np.array([one for _, one in charted])
    enough = len(charted) >= LEAST_VALUES and len(set(patients.tolist())) >= LEAST_PATIENTS
    assert (totals is not None) == (rows[0].history is not None) == enough
    for spread in rows[0].history.numbers if rows[0].history else ():
        for kept in (spread.lowest, spread.highest, *dict(spread.quantiles).values()):
            for beyond in (numbers <= kept, numbers >= kept):
                assert beyond.sum() >= LEAST_VALUES
                assert len(set(patients[beyond].tolist())) >= LEAST_PATIENTS
