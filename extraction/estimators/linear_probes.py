"""Linear probes on the filler's hidden states (ReDD, section 3.2): what the model knows beyond its output.

One probe per tapped layer: principal components, then logistic regression, folded into one direction of the hidden
space. Each question then costs one dot product per layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Relative depths, 0 to 1, of the layers whose states are kept: layers 8, 12, 16, 20 and 24 of the default filler's 28.
DEPTHS = tuple(number / 7 for number in range(2, 7))
_COMPONENTS = 96
_C = 0.02
_SEED = 20260101


@dataclass(frozen=True)
class Probe:
    """Directions, shape (layers, embedding), and intercepts, shape (layers,), for the states of some layers."""

    layers: tuple[int, ...]
    directions: NDArray[np.float32]
    intercepts: NDArray[np.float32]

    def score(self, states: Mapping[int, NDArray[np.float32]]) -> NDArray[np.float64]:
        """Log-odds by each layer, shape (layers,); NaN for states of other layers, a single NaN without layers."""
        import numpy as np

        if not self.layers or any(
            layer not in states or len(states[layer]) != self.directions.shape[1] for layer in self.layers
        ):
            return np.full(max(len(self.layers), 1), np.nan)
        each = [direction @ states[layer] for layer, direction in zip(self.layers, self.directions, strict=True)]
        return np.asarray(each, dtype=np.float64) + self.intercepts

    def scores(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        """`score` for many cases, shape (cases, layers); `states` has the shape (cases, layers, embedding)."""
        import numpy as np

        if not self.layers:
            return np.full((len(states), 1), np.nan)
        each = np.einsum("cle,le->cl", states.astype(np.float32), self.directions) + self.intercepts
        return np.asarray(each, dtype=np.float64)


Targets = Mapping[str, "NDArray[np.bool_]"]


def fit_probes(states: NDArray[np.float16], targets: Targets, layers: tuple[int, ...]) -> dict[str, Probe]:
    """Fits a probe for each target, shape (cases,), from `states`, shape (cases, layers, embedding)."""
    import numpy as np
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LogisticRegression

    # A target with only one label cannot be learned; its probe stays zero.
    learnable = {name: y for name, y in targets.items() if y.any() and not y.all()}
    directions = {name: np.zeros(states.shape[1:], np.float32) for name in targets}
    intercepts = {name: np.zeros(len(layers), np.float32) for name in targets}
    for place in range(len(layers) if learnable else 0):
        layer = states[:, place].astype(np.float32)
        count = min(_COMPONENTS, len(layer) - 1, layer.shape[1])  # the last would have no variance
        pca = PCA(count, svd_solver="randomized", random_state=_SEED).fit(layer)
        scale = np.sqrt(pca.explained_variance_) + 1e-6
        components = pca.transform(layer) / scale
        for name, y in learnable.items():
            model = LogisticRegression(C=_C, max_iter=2000).fit(components, y)
            direction = (model.coef_[0] / scale) @ pca.components_
            directions[name][place] = direction
            intercepts[name][place] = model.intercept_[0] - direction @ pca.mean_
    return {name: Probe(layers, directions[name], intercepts[name]) for name in targets}


def held_out_scores(
    states: NDArray[np.float16], targets: Targets, fold: NDArray[np.int64], layers: tuple[int, ...]
) -> dict[str, NDArray[np.float64]]:
    """Cross-validated scores of each target, from probes fitted without the case's fold, shape (cases, layers)."""
    import numpy as np

    found = {name: np.zeros((len(y), max(len(layers), 1))) for name, y in targets.items()}
    for number in np.unique(fold):
        others, own = fold != number, fold == number
        probes = fit_probes(states[others], {name: y[others] for name, y in targets.items()}, layers)
        for name, probe in probes.items():
            found[name][own] = probe.scores(states[own])
    return found


def save_probes(path: Path, probes: Mapping[str, Probe]) -> None:
    """Writes named probes as plain arrays."""
    import numpy as np

    arrays: dict[str, NDArray[np.float32]] = {}
    for name, probe in probes.items():
        arrays[f"{name}.layers"] = np.asarray(probe.layers)
        arrays[f"{name}.directions"] = probe.directions
        arrays[f"{name}.intercepts"] = probe.intercepts
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]


def load_probes(path: Path, *names: str) -> dict[str, Probe]:
    """Raises OSError, ValueError or KeyError if the file does not hold these probes."""
    import numpy as np

    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
        return {
            name: Probe(
                tuple(int(layer) for layer in data[f"{name}.layers"]),
                data[f"{name}.directions"],
                data[f"{name}.intercepts"],
            )
            for name in names
        }
