"""Readings and features match what all learned models were fitted to, unless the version changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from extraction.confidence import acceptance_features
from extraction.confidence.binding import FEATURE_VERSION, READING_VERSION
from extraction.language import numbers
from tests.recordings import golden

RAISE = (
    "{} changed. Restore them, or raise {} in extraction/confidence/binding.py, fit the shipped models and record "
    "them again."
)
READINGS = RAISE.format("Readings", "READING_VERSION")
FEATURES = RAISE.format("Features", "FEATURE_VERSION")


def compare(now: dict[str, Any]) -> None:
    """Fails if anything differs from the recording."""
    with np.load(golden.FILE, allow_pickle=False) as kept:
        assert kept["versions"].tolist() == [READING_VERSION, FEATURE_VERSION], (
            "record again: python -m tests.recordings.golden"
        )
        assert now["what"].tolist() == kept["what"].tolist(), READINGS
        np.testing.assert_allclose(now["readings"], kept["readings"], rtol=1e-4, atol=1e-6, err_msg=READINGS)
        assert now["rows"].tolist() == kept["rows"].tolist(), FEATURES
        np.testing.assert_allclose(now["candidates"], kept["candidates"], rtol=1e-4, atol=1e-5, err_msg=FEATURES)
        np.testing.assert_allclose(now["features"], kept["features"], rtol=1e-4, atol=1e-5, err_msg=FEATURES)


def test_readings_and_features_match_their_versions() -> None:
    now = golden.record()
    compare(now)
    assert len(now["what"]) > 300
    assert len(set(now["rows"].tolist())) > 600


def test_a_changed_feature_requires_a_new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = acceptance_features.acceptance_features

    def doubled(*given: Any) -> Any:
        found = np.array(usual(*given))
        if found.size:
            found[:, acceptance_features.FEATURES.index("sentence_words")] *= 2
        return found

    monkeypatch.setattr(acceptance_features, "acceptance_features", doubled)
    with pytest.raises(AssertionError, match="FEATURE_VERSION"):
        compare(golden.record())


def test_a_changed_reading_requires_a_new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = numbers.numbers
    monkeypatch.setattr("extraction.filling.closed_answers.numbers", lambda text: usual(text)[1:])
    with pytest.raises(AssertionError, match="READING_VERSION"):
        compare(golden.record())
