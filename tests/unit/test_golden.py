"""What is read and weighed is what the shipped and all learned models were fitted to, or has another version."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from extraction import confidence, spoken
from extraction.binding import FEATURE_VERSION, READING_VERSION
from tests import golden

RAISE = "{} changed. Restore them, or raise {} in extraction/binding.py, fit the shipped models and record them again."
READINGS = RAISE.format("Readings", "READING_VERSION")
FEATURES = RAISE.format("Features", "FEATURE_VERSION")


def compare(now: dict[str, Any]) -> None:
    """Fails where something is not as it was recorded."""
    with np.load(golden.FILE, allow_pickle=False) as kept:
        assert kept["versions"].tolist() == [READING_VERSION, FEATURE_VERSION], "record again: python -m tests.golden"
        assert now["what"].tolist() == kept["what"].tolist(), READINGS
        np.testing.assert_allclose(now["readings"], kept["readings"], rtol=1e-4, atol=1e-6, err_msg=READINGS)
        assert now["rows"].tolist() == kept["rows"].tolist(), FEATURES
        np.testing.assert_allclose(now["candidates"], kept["candidates"], rtol=1e-4, atol=1e-5, err_msg=FEATURES)
        np.testing.assert_allclose(now["features"], kept["features"], rtol=1e-4, atol=1e-5, err_msg=FEATURES)


def test_readings_and_features_are_those_of_their_versions() -> None:
    now = golden.record()
    compare(now)
    assert len(now["what"]) > 300
    assert len(set(now["rows"].tolist())) > 600


def test_another_feature_needs_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = confidence.features

    def doubled(*given: Any) -> Any:
        found = np.array(usual(*given))
        if found.size:
            found[:, confidence.FEATURES.index("sentence_words")] *= 2
        return found

    monkeypatch.setattr(confidence, "features", doubled)
    with pytest.raises(AssertionError, match="FEATURE_VERSION"):
        compare(golden.record())


def test_another_reading_needs_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = spoken.numbers
    monkeypatch.setattr("extraction.answers.numbers", lambda text: usual(text)[1:])
    with pytest.raises(AssertionError, match="READING_VERSION"):
        compare(golden.record())
