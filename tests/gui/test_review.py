"""From an empty window to an export, as a nurse does it."""

from __future__ import annotations

from tests.gui.conftest import Ward


def test_smoke(review: Ward) -> None:
    review.window.grab().save("/tmp/w/review.png")
