"""The detectors that ReDD compares SCAPE with (sections 3.3 and 6.2.2).

They take and return what `extraction.estimators.conformal.Scape` does. Votes and conflicts guarantee nothing;
`IndivConformal` does for each layer alone but not for their vote.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.estimators.conformal import check_errors, wrong_to_catch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_THETA = 0.5


def majority_vote(errors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """MV (Eq. 7): lit if more than half of the layers give an error probability above one half."""
    majority: NDArray[np.bool_] = (errors > _THETA).mean(axis=1) > 0.5
    return majority


def conflict_filter(errors: NDArray[np.float64], conflicts: int) -> NDArray[np.bool_]:
    """CF (Eq. 8): lit by `majority_vote`, or if at least `conflicts` layers disagree with the majority."""
    votes, majority = errors > _THETA, majority_vote(errors)
    lit: NDArray[np.bool_] = majority | ((votes != majority[:, None]).sum(axis=1) >= conflicts)
    return lit


@dataclass(frozen=True)
class IndivConformal:
    """Split conformal prediction for each layer alone, then a majority vote (ReDD, section 6.2.2).

    Attributes:
        wrong: 1 - pi of the calibration's wrong values by each layer, ascending, shape (wrong values, layers).
    """

    wrong: NDArray[np.float64]

    @classmethod
    def fit(cls, errors: NDArray[np.float64], wrong: NDArray[np.bool_]) -> IndivConformal:
        """`wrong` says whether each value is wrong, shape (values,). Raises InputError; see `Scape.fit`."""
        import numpy as np

        check_errors(errors, wrong)
        return cls(np.sort(1 - errors[wrong], axis=0))

    def lit(self, errors: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
        """Which values are lit, shape (values,)."""
        import numpy as np

        needed = wrong_to_catch(len(self.wrong), alpha)
        if needed > len(self.wrong):
            return np.ones(len(errors), dtype=bool)
        return np.asarray((1 - errors <= self.wrong[needed - 1]).mean(axis=1) > 0.5)
