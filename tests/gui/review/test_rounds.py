"""A round at one bed and a shift at three, by keys and voice alone, and what is kept of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.gui.conftest import Ward
from tests.gui.rounds import Rounds, opened
from tests.gui.shift import Shift, opened_demanding


def test_a_round_is_spoken_reviewed_and_filed_by_keys(
    new_ward: Callable[..., Ward], calibrated: None, out: Path, tmp_path: Path
) -> None:
    Rounds(opened(new_ward), out, tmp_path).one()


def test_a_shift_at_three_beds(new_ward: Callable[..., Ward], calibrated: None, out: Path, tmp_path: Path) -> None:
    Shift(opened_demanding(new_ward, tmp_path), out, tmp_path).whole()
