"""Logistic models over named features, shipped as JSON with what they were fitted on."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Coefficients on named features, an intercept, and the probability from which a case is kept."""

    features: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float
    keep_from: float

    def probability(self, values: Sequence[float]) -> float:
        """Estimated probability for one case, 0 to 1; `values` in the order of `features`."""
        score = self.intercept + sum(c * x for c, x in zip(self.coefficients, values, strict=True))
        return 1 / (1 + math.exp(-max(min(score, 30.0), -30.0)))


@cache
def shipped_model(name: str, features: tuple[str, ...]) -> LogisticModel:
    """The model in resources/<name>.json. Raises ValueError when it was fitted on other features than these."""
    data = json.loads((files("resources") / f"{name}.json").read_text(encoding="utf-8"))
    if tuple(data["features"]) != features:
        raise ValueError(f"resources/{name}.json was fitted on other features than the code computes")
    return LogisticModel(features, tuple(data["coefficients"]), data["intercept"], data["keep_from"])


def logit(probability: float) -> float:
    """Log-odds, of probabilities that are kept off 0 and 1."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))
