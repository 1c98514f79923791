"""One classifier per tapped layer, which estimates how likely a value is wrong (ReDD, Eq. 5).

Logistic regression over the log-odds of the acceptance and the scores of the layer's two probes. Because every
classifier includes the acceptance, each knows all that is known apart from its states, and they differ only in what
those add: over 122 annotated dictations, held out in turn, the mean of such classifiers is as good as the acceptance
(ROC-AUC 0.966); classifiers on states alone are not (0.94).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class LayerClassifiers:
    """Coefficients of intercept, acceptance, row probe and value probe, shape (layers, 4)."""

    coefficients: NDArray[np.float64]

    def errors(
        self, confidences: NDArray[np.float64], row: NDArray[np.float64], value: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The probability by each layer that each value is wrong, shape (values, layers).

        Args:
            confidences: of the acceptance, shape (values,).
            row, value: scores of the probes, shape (values, layers); where they are NaN, the acceptance alone decides.
        """
        import numpy as np
        from scipy.special import expit

        odds = _log_odds(confidences)[:, None]
        intercept, own, of_row, of_value = self.coefficients.T
        right = expit(intercept + own * odds + of_row * row + of_value * value)
        return np.where(np.isnan(right), 1 - confidences[:, None], 1 - right)


def fit_layers(
    confidences: NDArray[np.float64],
    row: NDArray[np.float64],
    value: NDArray[np.float64],
    right: NDArray[np.bool_],
) -> LayerClassifiers:
    """Fits classifiers that predict which values are `right`, shape (values,), from the output of held-out models."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    layers = range(row.shape[1])
    if right.all() or not right.any() or np.isnan(row).any():  # nothing to learn: acceptance alone
        return LayerClassifiers(np.tile([0.0, 1.0, 0.0, 0.0], (len(layers), 1)))
    coefficients = []
    for layer in layers:
        known = np.column_stack([_log_odds(confidences), row[:, layer], value[:, layer]])
        model = LogisticRegression(max_iter=1000).fit(known, right)
        coefficients.append([*model.intercept_, *model.coef_[0]])
    return LayerClassifiers(np.asarray(coefficients, dtype=np.float64).reshape(-1, 4))


def held_out_errors(
    confidences: NDArray[np.float64],
    row: NDArray[np.float64],
    value: NDArray[np.float64],
    right: NDArray[np.bool_],
    fold: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Cross-validated errors of each value, from classifiers fitted without its fold; shape (values, layers)."""
    import numpy as np

    found = np.zeros(row.shape)
    for number in np.unique(fold):
        own, others = fold == number, fold != number
        classifiers = fit_layers(confidences[others], row[others], value[others], right[others])
        found[own] = classifiers.errors(confidences[own], row[own], value[own])
    return found


def _log_odds(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    bounded = np.clip(probabilities, 1e-4, 1 - 1e-4)
    return np.log(bounded / (1 - bounded))
