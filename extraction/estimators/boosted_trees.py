"""Gradient-boosted trees over named features that estimate a probability.

LightGBM stores its models as plain text, so that loading one runs no code. A feature may be missing (NaN), such as one
that needs exemplars a hospital does not have.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import lightgbm
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

SEED = 20260101
_SEEDS = 3
_TREES = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 16,
    "min_data_in_leaf": 20,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "feature_fraction": 0.4,
    "lambda_l2": 3.0,
    "num_threads": 1,  # the same trees on every machine, and no second thread pool
    "deterministic": True,
    "force_row_wise": True,
    "verbosity": -1,
}
_ROUNDS = 300


@dataclass(frozen=True)
class TreeModel:
    """An average over boosted-tree ensembles that differ in their seed.

    Attributes:
        features: names of the columns that it was fitted to, in order.
        computed: names of the columns that it is given, in order; empty for the same.
        keep_from: probability from which a case is kept.
        texts: each ensemble in LightGBM's own format.
        about: training data and quality, for reports.
    """

    features: tuple[str, ...]
    keep_from: float
    texts: tuple[str, ...]
    about: dict[str, Any] = field(default_factory=dict)
    computed: tuple[str, ...] = ()

    def probabilities(self, values: ArrayLike) -> NDArray[np.float64]:
        """Estimated probability of each case, shape (cases,); `values` has the shape (cases, columns given)."""
        import numpy as np

        table = np.asarray(values, dtype=np.float64).reshape(-1, len(self.computed or self.features))
        if not len(table):
            return np.zeros(0)
        table = table[:, self._columns]
        each = [np.asarray(booster.predict(table, num_threads=1)) for booster in self._boosters]
        return np.asarray(np.mean(each, axis=0), dtype=np.float64)

    def to_json(self) -> str:
        data = {"features": self.features, "keep_from": self.keep_from, "about": self.about, "trees": self.texts}
        return json.dumps(data, indent=1)

    @classmethod
    def from_json(cls, text: str, features: Sequence[str]) -> TreeModel:
        """Reads a model; the program may compute more features than it was fitted to.

        Raises ValueError or KeyError if the text is not a model of some of these features.
        """
        data = json.loads(text)
        own = tuple(map(str, data["features"]))
        if not own or not set(own) <= set(features):
            raise ValueError("the model was fitted on other features than the program computes")
        trees = tuple(map(str, data["trees"]))
        model = cls(own, float(data["keep_from"]), trees, data["about"], tuple(features))
        if len(model._boosters) == 0:  # loads them too, so that a damaged file fails here and not during a dictation
            raise ValueError("the model holds no trees")
        return model

    @cached_property
    def _columns(self) -> list[int]:
        """The places of its features among the columns that it is given."""
        given = self.computed or self.features
        return [given.index(name) for name in self.features]

    @cached_property
    def _boosters(self) -> list[lightgbm.Booster]:
        import lightgbm

        try:
            return [lightgbm.Booster(model_str=text) for text in self.texts]
        except lightgbm.basic.LightGBMError as error:
            raise ValueError(str(error)) from error


def fit_trees(
    features: Sequence[str], x: NDArray[np.float64], y: NDArray[np.bool_], keep_from: float = 0.5
) -> TreeModel:
    """Fits trees that predict `y`, shape (cases,), from `x`, shape (cases, features)."""
    import lightgbm

    texts = []
    for seed in range(_SEEDS):
        data = lightgbm.Dataset(x, label=y.astype(float), free_raw_data=False)
        booster = lightgbm.train({**_TREES, "seed": SEED + seed}, data, num_boost_round=_ROUNDS)
        texts.append(booster.model_to_string())
    return TreeModel(tuple(features), keep_from, tuple(texts))


def held_out(
    features: Sequence[str], x: NDArray[np.float64], y: NDArray[np.bool_], fold: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Cross-validated probability of each case, from trees fitted without its fold; shape (cases,)."""
    import numpy as np

    found = np.zeros(len(y))
    for number in np.unique(fold):
        model = fit_trees(features, x[fold != number], y[fold != number])
        found[fold == number] = model.probabilities(x[fold == number])
    return found
