"""The detectors that SCAPE is compared with: what each lights."""

from __future__ import annotations

import numpy as np
import pytest

from app.evaluation.papers.error_detection.detectors import IndivConformal, conflict_filter, majority_vote
from models.base.errors import InputError
from tests.unit.extraction.estimators.test_conformal import ALPHAS, sample


def test_the_majority_of_layers_decides() -> None:
    errors = np.array([[0.9, 0.9, 0.9, 0.1, 0.1], [0.9, 0.9, 0.1, 0.1, 0.1], [0.5, 0.5, 0.5, 0.5, 0.5]])
    assert majority_vote(errors).tolist() == [True, False, False]
    assert majority_vote(np.array([[0.9, 0.1]])).tolist() == [False]  # half is not a majority


def test_conflict_lights_values_that_the_majority_leaves_dark() -> None:
    errors = np.array([[0.1] * 5, [0.9, 0.1, 0.1, 0.1, 0.1], [0.9, 0.9, 0.1, 0.1, 0.1], [0.9] * 5])
    assert conflict_filter(errors, 1).tolist() == [False, True, True, True]
    assert conflict_filter(errors, 2).tolist() == [False, False, True, True]
    assert conflict_filter(errors, 3).tolist() == majority_vote(errors).tolist()


def test_each_layer_alone_keeps_its_guarantee() -> None:
    rng = np.random.default_rng(8)
    shares: dict[float, list[float]] = {alpha: [] for alpha in ALPHAS}
    for _ in range(200):
        errors, wrong, _ = sample(rng, 30)
        fresh, its_wrong, _ = sample(rng, 30)
        for alpha in ALPHAS:
            alone = IndivConformal.fit(errors[:, :1], wrong).lit(fresh[:, :1], alpha)
            shares[alpha].append(float(alone[its_wrong].mean()))
    for alpha, found in shares.items():
        slack = 3 * np.std(found, ddof=1) / np.sqrt(len(found))
        assert np.mean(found) >= 1 - alpha - slack


def test_layers_alone_need_both_right_and_wrong_values() -> None:
    with pytest.raises(InputError, match="All 8 reviewed values are wrong"):
        IndivConformal.fit(np.full((8, 5), 0.4), np.ones(8, dtype=bool))
