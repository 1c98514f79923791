"""Error detection over several layers: what each method lights, and that SCAPE keeps its guarantee."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from extraction.estimators.conformal import Scape, disagreement, wrong_needed
from models.base.errors import InputError

ALPHAS = (0.3, 0.2, 0.1, 0.05, 0.02)
LAYERS = 5


def sample(rng: np.random.Generator, cases: int, a_case: int = 12) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Values of exchangeable dictations: layer errors, which values are wrong, and their dictation."""
    count = cases * a_case
    wrong = rng.random(count) < 0.3
    shared = rng.normal(np.where(wrong, 1.0, -1.0), 1.2)
    each = shared[:, None] + rng.normal(0, 0.8, (count, LAYERS))
    return 1 / (1 + np.exp(-each)), wrong, np.repeat(np.arange(cases), a_case)


def test_disagreement_is_the_largest_deviation_from_the_mean() -> None:
    assert disagreement(np.array([[0.2, 0.2, 0.8], [0.4, 0.4, 0.4]])) == pytest.approx([0.4, 0.0])


@pytest.mark.parametrize("weight", [0.0, 0.5, 1.0])
def test_scape_lights_the_guaranteed_share_of_wrong_values(weight: float) -> None:
    """Theorem 4.1 over 25 calibrations with fresh dictations each; the bound allows three standard errors."""
    rng = np.random.default_rng(7)
    caught: dict[float, list[float]] = {alpha: [] for alpha in ALPHAS}
    for number in range(25):
        detector = Scape.fit(*sample(rng, 30), weight=weight, seed=number)
        errors, wrong, _ = sample(rng, 100)
        for alpha in ALPHAS:
            caught[alpha].append(float(detector.lit(errors, alpha)[wrong].mean()))
    for alpha, shares in caught.items():
        slack = 3 * np.std(shares, ddof=1) / np.sqrt(len(shares))
        assert np.mean(shares) >= 1 - alpha - slack, f"alpha {alpha}: {np.mean(shares):.3f}"


def test_scape_lights_fewer_right_values_than_everything() -> None:
    """Lighting everything would also keep the guarantee; at alpha 0.2 most right values stay dark."""
    rng = np.random.default_rng(9)
    detector = Scape.fit(*sample(rng, 120))
    errors, wrong, _ = sample(rng, 120)
    assert detector.lit(errors, 0.2)[~wrong].mean() < 0.35


@settings(max_examples=15)
@given(seed=st.integers(0, 50), weight=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_a_smaller_alpha_never_lights_fewer_values(seed: int, weight: float) -> None:
    rng = np.random.default_rng(seed)
    detector = Scape.fit(*sample(rng, 20), weight=weight)
    errors, _, _ = sample(rng, 5)
    lit = [detector.lit(errors, alpha) for alpha in ALPHAS]
    for wider, narrower in zip(lit[1:], lit, strict=False):
        assert not (narrower & ~wider).any()


def test_calibration_is_deterministic() -> None:
    values = sample(np.random.default_rng(1), 30)
    one, other = Scape.fit(*values, weight=0.5), Scape.fit(*values, weight=0.5)
    assert (one.centres.tobytes(), one.ranks.tobytes()) == (other.centres.tobytes(), other.ranks.tobytes())


def test_too_few_wrong_values_light_everything() -> None:
    """With 18 wrong values, 5 % cannot be guaranteed and everything is lit.

    With one more, the most reliable cells stay dark.
    """
    assert (wrong_needed(0.05), wrong_needed(0.5)) == (19, 1)
    surely_wrong, surely_right = np.full((1, LAYERS), 0.95), np.full((1, LAYERS), 0.05)
    for count, dark in ((18, False), (19, True)):
        errors = np.concatenate([np.repeat(surely_wrong, 2 * count, axis=0), np.repeat(surely_right, 100, axis=0)])
        wrong = np.arange(len(errors)) < 2 * count
        case = np.arange(len(errors)) % 2  # both halves contain both kinds
        detector = Scape.fit(errors, wrong, case)
        assert len(detector.ranks) == count
        assert detector.lit(surely_wrong, 0.05).all()
        assert bool(detector.lit(surely_right, 0.05)[0]) is not dark


@pytest.mark.parametrize(
    ("wrong", "said"),
    [([True] * 8, "All 8 reviewed values are wrong"), ([False] * 8, "All 8 reviewed values are right")],
)
def test_calibration_needs_both_right_and_wrong_values(wrong: list[bool], said: str) -> None:
    errors = np.full((8, LAYERS), 0.4)
    with pytest.raises(InputError, match=said):
        Scape.fit(errors, np.array(wrong), np.arange(8))


def test_five_labels_are_too_few_to_calibrate() -> None:
    wrong = np.array([True, False, False, False, False])
    with pytest.raises(InputError, match="too few to calibrate"):
        Scape.fit(np.full((5, LAYERS), 0.4), wrong, np.arange(5))


def test_non_finite_probabilities_are_refused() -> None:
    errors, wrong, case = sample(np.random.default_rng(2), 10)
    errors[3, 1] = np.nan
    with pytest.raises(InputError, match="no probability"):
        Scape.fit(errors, wrong, case)
