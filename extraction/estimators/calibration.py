"""Decides which values to highlight ("light") for the nurse, calibrated on dictations with known values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from extraction.estimators.conformal import Scape, wrong_needed
from models.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The selectable weights of disagreement (lambda); each has its own cells.
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Sample:
    """Every value read in some dictations: the likeliest of each row, or of each option of a multi-select.

    Attributes:
        errors: probability by each layer that the value is wrong, shape (values, layers).
        wrong: whether it is wrong, shape (values,).
        proposed: whether it is likely enough to be proposed to the nurse, shape (values,).
        case: number of its dictation, shape (values,).
    """

    errors: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    proposed: NDArray[np.bool_]
    case: NDArray[np.int64]

    @property
    def proposals(self) -> Sample:
        """The proposed values alone."""
        return self.only(self.proposed)

    def only(self, among: NDArray[np.bool_]) -> Sample:
        """The values in `among`, shape (values,)."""
        return Sample(self.errors[among], self.wrong[among], self.proposed[among], self.case[among])

    def joined(self, other: Sample) -> Sample:
        """Concatenates two samples and renumbers the dictations. Raises InputError if their layers differ."""
        import numpy as np

        if self.errors.shape[1] != other.errors.shape[1]:
            raise InputError(
                f"Values seen by {self.errors.shape[1]} and by {other.errors.shape[1]} layers do not go together.",
                "Learn again with this version of Wardlight and this language model.",
            )
        shifted = other.case + (self.case.max() + 1 if len(self.case) else 0)
        return Sample(
            np.concatenate([self.errors, other.errors]),
            np.concatenate([self.wrong, other.wrong]),
            np.concatenate([self.proposed, other.proposed]),
            np.concatenate([self.case, shifted]),
        )


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a choice of alpha and weight means for dictations like those of the calibration.

    Attributes:
        lit: share of the proposals that is lit.
        wrong_unlit: share of the unlit proposals that is wrong.
        right_lit: share of the right proposals that is lit needlessly.
        caught: share of the wrong proposals that is lit.
        kept: whether there are enough wrong values for the guarantee; if not, everything is lit.
    """

    lit: float
    wrong_unlit: float
    right_lit: float
    caught: float
    kept: bool


@dataclass(frozen=True)
class Calibration:
    """A sample, and SCAPE fitted to its proposals for each weight.

    Held-back values are excluded: nobody sees them lit, and they are so many that they alone would fill the promised
    share.
    """

    sample: Sample
    scapes: tuple[Scape, ...]

    @classmethod
    def fit(cls, sample: Sample) -> Calibration:
        """Raises InputError; see `Scape.fit`."""
        shown = sample.proposals
        return cls(sample, tuple(Scape.fit(shown.errors, shown.wrong, shown.case, weight) for weight in WEIGHTS))

    def lit(self, errors: NDArray[np.float64], alpha: float, weight: float) -> NDArray[np.bool_]:
        """Which values are lit, shape (values,)."""
        return self._scape(weight).lit(errors, alpha)

    def outlook(self, alpha: float, weight: float) -> Outlook:
        """The expected outcome, estimated on the sample itself."""
        import numpy as np

        shown = self._proposals
        lit, wrong = self.lit(shown.errors, alpha, weight), shown.wrong
        return Outlook(
            lit=_share(lit, np.ones(len(lit), dtype=bool)),
            wrong_unlit=_share(wrong, ~lit),
            right_lit=_share(lit, ~wrong),
            caught=_share(lit, wrong),
            kept=len(self._scape(weight).ranks) >= wrong_needed(alpha),
        )

    def _scape(self, weight: float) -> Scape:
        return self._by_weight[min(WEIGHTS, key=lambda known: abs(known - weight))]

    @cached_property
    def _proposals(self) -> Sample:
        return self.sample.proposals

    @cached_property
    def _by_weight(self) -> dict[float, Scape]:
        return {scape.weight: scape for scape in self.scapes}

    def save(self, path: Path) -> None:
        """Raises OSError."""
        import numpy as np

        arrays = {f"sample.{name}": array for name, array in vars(self.sample).items()}
        for number, scape in enumerate(self.scapes):
            arrays |= {f"{number}.centres": scape.centres, f"{number}.ranks": scape.ranks}
        with path.open("wb") as stream:
            np.savez_compressed(stream, **arrays)

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Raises OSError, ValueError, KeyError or BadZipFile for an incomplete file."""
        import numpy as np

        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            sample = Sample(**{name: data[f"sample.{name}"] for name in Sample.__dataclass_fields__})
            scapes = tuple(
                Scape(weight, data[f"{number}.centres"], data[f"{number}.ranks"])
                for number, weight in enumerate(WEIGHTS)
            )
        return cls(sample, scapes)


def _share(which: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(which[among].mean()) if among.any() else 0.0
