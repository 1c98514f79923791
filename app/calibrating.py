"""Lights calibrated on a hospital's own reviews: `wardlight calibrate`.

A dictation that was reviewed to the end is an annotated one: what was accepted is right, everything else that was read
of it is wrong, also what was held back and not taken from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.examples import Annotated, reviewed_to_the_end
from app.lighting import Lighting, reviewed_file
from app.store import Store
from extraction.calibration import Calibration, Outlook, Sample
from extraction.changes import errors_of
from extraction.conformal import wrong_needed
from extraction.schema import Schema
from extraction.scoring import all_items, items
from models.errors import InputError

# How unlikely what reviews show must be under the promise before it is said that it is not kept any more, and of how
# many of the latest dictations.
_DRIFT_P = 0.01
RECENT = 50


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration on reviews, and what it rests on.

    Attributes:
        dictations, values, wrong: of reviews; what was annotated before is not counted.
        drifted: whether the latest reviews contradict what the former calibration promised.
        outlook: what is to be expected at the settings' alpha and weight.
    """

    file: Path
    dictations: int
    values: int
    wrong: int
    drifted: bool
    outlook: Outlook


def calibrate(store: Store, schema: Schema, lighting: Lighting) -> Calibrated:
    """Calibrates on the reviews of the store, and on the hospital's annotated dictations where it learned from some.

    Raises:
        InputError: nothing was reviewed that can be used, or too little; it says how much more is needed.
        OSError: the file cannot be written.
    """
    samples = reviewed_samples(store, schema, lighting.weighed_by)
    if not samples:
        raise InputError(
            "No dictation that can be used was reviewed to the end.",
            "Switch on collect_examples in the settings, and review dictations that are filled by the models of today.",
        )
    reviewed = _all(samples)
    annotated = lighting.annotated
    calibration = Calibration.fit(annotated.joined(reviewed) if annotated else reviewed)
    outlook = calibration.outlook(lighting.alpha, lighting.weight)
    if not outlook.kept:
        wrong = int(calibration.sample.wrong.sum())
        missing = 2 * wrong_needed(lighting.alpha) - wrong
        a_dictation = max(reviewed.wrong.sum() / len(samples), 0.1)
        raise InputError(
            f"{len(samples)} reviewed dictations with {wrong} wrong values are too few to catch "
            f"{1 - lighting.alpha:.0%} of them: {max(missing, 1)} more are needed, which is about "
            f"{math.ceil(max(missing, 1) / a_dictation)} dictations.",
            "Review more of them, or choose a larger alpha.",
        )
    file = reviewed_file(lighting.weighed_by)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    calibration.save(partial)
    partial.replace(file)
    return Calibrated(
        file,
        len(samples),
        len(reviewed.wrong),
        int(reviewed.wrong.sum()),
        drifted(samples, lighting),
        outlook,
    )


def reviewed_samples(store: Store, schema: Schema, weighed_by: str) -> list[Sample]:
    """What was read of each dictation that was reviewed to the end and weighed by this signature, oldest first."""
    return samples_of(
        Annotated.of(dictation, values)
        for dictation, _, values in reviewed_to_the_end(store, schema)
        if dictation.run.get("weighed_by") == weighed_by
    )


def samples_of(reviewed: Iterable[Annotated]) -> list[Sample]:
    """What was read of each of these dictations, without those of which nothing was that layers weighed."""
    found = [_sample(one) for one in reviewed]
    return [sample for sample in found if len(sample.wrong)]


def drifted(samples: Sequence[Sample], lighting: Lighting) -> bool:
    """Whether fewer wrong values of the latest dictations were caught than the promise allows by chance."""
    if lighting.calibration is None or not samples:
        return False
    latest = _all(samples[-RECENT:])
    lit = lighting.calibration.lit(latest.errors, lighting.alpha, lighting.weight)
    caught, wrong = int((lit | ~latest.proposed)[latest.wrong].sum()), int(latest.wrong.sum())
    if caught >= (1 - lighting.alpha) * wrong:
        return False
    from scipy.special import bdtr  # the binomial distribution; scipy.stats takes much longer to load

    return bool(bdtr(caught, wrong, 1 - lighting.alpha) < _DRIFT_P)


def _sample(reviewed: Annotated) -> Sample:
    import numpy as np

    gold = all_items((value.row_id, value.value) for value in reviewed.accepted)
    proposals = [value.filled for value in reviewed.proposals if value.filled]
    proposed = set(proposals)
    layers = max((len(one.errors) for one in (*proposals, *reviewed.held_back)), default=0)
    read = [one for one in (*proposals, *reviewed.held_back) if errors_of(one, layers) and not one.is_unit]
    return Sample(
        np.array([errors_of(one, layers) for one in read], dtype=np.float64).reshape(len(read), layers),
        np.array([not items(one.row_id, one.value) <= gold for one in read], dtype=bool),
        np.array([one in proposed for one in read], dtype=bool),
        np.zeros(len(read), dtype=np.int64),
    )


def _all(samples: Sequence[Sample]) -> Sample:
    whole = samples[0]
    for sample in samples[1:]:
        whole = whole.joined(sample)
    return whole
