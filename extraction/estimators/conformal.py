"""Error detection over the classifiers of several layers (ReDD, sections 3.3 to 4.2): which values may be wrong.

`Scape` takes `errors`, shape (values, layers): the probability, by each layer's classifier, that a value is wrong
(Eq. 5). It returns which values are lit, and guarantees that at least a share 1 - alpha of the wrong values is, as long
as new dictations resemble the calibration data.

Where the paper's text and its Theorem 4.1 differ, the guarantee decides: cells are formed and ranked on one part of the
dictations and cut on the other (the text ranks on the part it cuts on, which uses those labels twice), and the cut
counts only wrong values (Eq. 11 counts all, its proof the wrong ones). Cells are formed from the vectors under both
labels; the guarantee does not depend on how they are formed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SEED = 20260101
_CELLS = 40
_VALUES_A_CELL = 10


def disagreement(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest deviation of any layer from the layers' mean, shape (values,), 0 to 1 (section 4.2)."""
    deviation: NDArray[np.float64] = abs(errors - errors.mean(axis=1, keepdims=True)).max(axis=1)
    return deviation


def wrong_needed(alpha: float) -> int:
    """The fewest wrong values in a calibration for which alpha can be guaranteed.

    With fewer, no threshold suffices and everything is lit.
    """
    return math.ceil((1 - alpha) / alpha - 1e-9)


def wrong_to_catch(count: int, alpha: float) -> int:
    """How many of `count` wrong values must be caught: ceil((1 - alpha)(count + 1)), Eq. 11."""
    return math.ceil((1 - alpha) * (count + 1) - 1e-9)


@dataclass(frozen=True)
class Scape:
    """SCAPE (Algorithm 1), or SCAPE-Hyb (Eq. 13) if the weight is above 0.

    Attributes:
        weight: lambda, 0 to 1: how much the layers' disagreement counts compared with their probabilities.
        centres: of the cells, most reliable first, shape (cells, layers), plus one dimension if the weight is above 0.
        ranks: the index of the cell of each wrong value of the calibration, ascending.
    """

    weight: float
    centres: NDArray[np.float64]
    ranks: NDArray[np.int64]

    @classmethod
    def fit(
        cls,
        errors: NDArray[np.float64],
        wrong: NDArray[np.bool_],
        case: NDArray[np.int64],
        weight: float = 0.0,
        seed: int = _SEED,
    ) -> Scape:
        """Calibrates: half of the cases form and rank the cells, the other half sets the cut.

        Args:
            wrong: whether each value is wrong, shape (values,).
            case: number of each value's dictation, shape (values,); values of one dictation stay together.

        Raises InputError if one of the halves lacks right or wrong values, or if probabilities are not finite.
        """
        import numpy as np
        from sklearn.cluster import KMeans

        check_errors(errors, wrong)
        numbers = np.unique(case)
        order = np.random.default_rng(seed).permutation(numbers)
        forming = np.isin(case, order[: len(order) // 2])
        for half in (forming, ~forming):
            if not wrong[half].any() or wrong[half].all():
                raise InputError(
                    f"{len(wrong)} reviewed values of {len(numbers)} dictations, {int(wrong.sum())} of them wrong, are "
                    "too few to calibrate: half of the dictations has none that is wrong, or none that is right.",
                    "Calibrate again when more dictations have been reviewed.",
                )
        if_right, if_wrong = _vectors(errors, 0, weight), _vectors(errors, 1, weight)
        # Under both labels, so that reliable values have their own cells instead of sharing those of wrong values.
        vectors = np.concatenate([if_right[forming], if_wrong[forming]])
        most = len(np.unique(vectors.round(9), axis=0))
        count = max(1, min(_CELLS, most, int(forming.sum()) // _VALUES_A_CELL))
        means = KMeans(count, n_init=2, random_state=seed).fit(vectors)
        centres = np.asarray(means.cluster_centers_, dtype=np.float64)
        true = _nearest(np.where(wrong[:, None], if_wrong, if_right), centres)
        false = _nearest(np.where(wrong[:, None], if_right, if_wrong), centres)
        ratio = (np.bincount(false[forming], minlength=count) + 0.5) / (
            np.bincount(true[forming], minlength=count) + 0.5
        )
        centres = centres[np.argsort(ratio, kind="stable")]
        cutting = ~forming & wrong
        return cls(weight, centres, np.sort(_nearest(if_wrong[cutting], centres)))

    def rank(self, errors: NDArray[np.float64]) -> NDArray[np.int64]:
        """The cell that each value would be in if it were wrong, counted from the most reliable, shape (values,)."""
        return _nearest(_vectors(errors, 1, self.weight), self.centres)

    def cut(self, alpha: float) -> int:
        """How many cells are lit (Eq. 11)."""
        needed = wrong_to_catch(len(self.ranks), alpha)
        return len(self.centres) if needed > len(self.ranks) else int(self.ranks[needed - 1]) + 1

    def lit(self, errors: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
        """Which values are lit: those whose prediction set (Eq. 12) contains "wrong", shape (values,)."""
        import numpy as np

        return np.asarray(self.rank(errors) < self.cut(alpha))


def check_errors(errors: NDArray[np.float64], wrong: NDArray[np.bool_]) -> None:
    """Raises InputError if a probability is not finite, or if all values are right or all wrong."""
    import numpy as np

    if not np.isfinite(errors).all():
        raise InputError("Some values have no probability of being wrong.", "Learn again with: wardlight learn.")
    if wrong.all() or not wrong.any():
        kind = "wrong" if wrong.all() else "right"
        raise InputError(
            f"All {len(wrong)} reviewed values are {kind}: what tells right from wrong cannot be learned from them.",
            "Calibrate again when there are some of both kinds.",
        )


def _vectors(errors: NDArray[np.float64], label: int, weight: float) -> NDArray[np.float64]:
    """Nonconformity of each value under a label, 1 for wrong (Eq. 9, 13); shape (values, layers or one more)."""
    import numpy as np

    scores = 1 - errors if label else errors
    if not weight:
        return scores
    return np.column_stack([(1 - weight) * scores, weight * disagreement(errors)])


def _nearest(vectors: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int64]:
    """Index of the nearest centre of each vector, shape (vectors,)."""
    distances = ((vectors[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest: NDArray[np.int64] = distances.argmin(axis=1)
    return nearest
