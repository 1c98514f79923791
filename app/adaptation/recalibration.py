"""Calibrates lights on a hospital's own reviews: `wardlight calibrate`.

A fully reviewed dictation serves as an annotated case: accepted values are right, and all other values read from it are
wrong, including held-back values that nobody took. Values weighed by earlier models are weighed again by today's models
if the meaning of their features has not changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.adaptation.reviewed_cases import Annotated, reviewed_to_the_end
from app.lighting import Lighting, reviewed_file
from app.record.values import ProposedValue
from app.store import Store
from app.system.settings import Settings
from extraction.annotation.scoring import all_items, items
from extraction.confidence.binding import Binding
from extraction.estimators.calibration import Calibration, Outlook, Sample
from extraction.estimators.conformal import wrong_needed
from extraction.filling.proposals import rounded
from extraction.flowsheet.schema import Schema
from extraction.rules.changes import errors_of
from models.base.errors import InputError

if TYPE_CHECKING:
    from extraction.confidence.learned_models import Learned

# Drift: if the promise held, catching so few wrong values in the latest RECENT dictations would have a probability
# below _DRIFT_P.
_DRIFT_P = 0.01
RECENT = 50


@dataclass(frozen=True, slots=True)
class Recalibration:
    """A calibration on reviews, and the data it is based on.

    Attributes:
        dictations, values, wrong: numbers of reviewed dictations, their proposed values and the wrong ones; annotated
            cases are not counted.
        weighed_again: how many of the dictations earlier models had weighed.
        drifted: whether the latest reviews contradict the promise of the previous calibration.
        outlook: what to expect at the alpha and weight of the settings.
    """

    file: Path
    dictations: int
    values: int
    wrong: int
    weighed_again: int
    drifted: bool
    outlook: Outlook


@dataclass(frozen=True, slots=True)
class ReviewedSamples:
    """One sample for each fully reviewed dictation, oldest first.

    Attributes:
        samples: all samples, with the values as weighed by today's models.
        shown: the samples whose values were already weighed that way when they were reviewed.
    """

    samples: list[Sample]
    shown: list[Sample]


def calibrate(store: Store, schema: Schema, lighting: Lighting, models: Callable[[], Learned]) -> Recalibration:
    """Calibrates on the reviews in the store, and on the hospital's annotated cases if it has learned from any.

    Args:
        models: loads today's learned models; called only if values must be weighed again.

    Raises:
        InputError: there are no usable reviews, or too few; the message says how many more are needed.
        OSError: the file cannot be written.
    """
    found = reviewed_samples(store, schema, lighting, models)
    samples = found.samples
    if not samples:
        raise InputError(
            "No usable dictation has been fully reviewed.",
            "Turn on collect_examples in the settings, and review dictations filled by the current models.",
        )
    reviewed = _all(samples)
    annotated, shown = lighting.annotated, reviewed.proposals
    calibration = Calibration.fit(annotated.joined(reviewed) if annotated else reviewed)
    outlook = calibration.outlook(lighting.alpha, lighting.weight)
    if not outlook.kept:
        wrong = int(calibration.sample.proposals.wrong.sum())
        missing = 2 * wrong_needed(lighting.alpha) - wrong
        a_dictation = max(shown.wrong.sum() / len(samples), 0.1)
        raise InputError(
            f"{len(samples)} reviewed dictations with {wrong} wrong proposals are too few to catch "
            f"{1 - lighting.alpha:.0%} of them: {max(missing, 1)} more are needed, which is about "
            f"{math.ceil(max(missing, 1) / a_dictation)} dictations.",
            "Review more of them, or choose a larger alpha.",
        )
    file = reviewed_file(lighting.weighed_by)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    calibration.save(partial)
    partial.replace(file)
    return Recalibration(
        file,
        len(samples),
        len(shown.wrong),
        int(shown.wrong.sum()),
        len(samples) - len(found.shown),
        drifted(found.shown, lighting),
        outlook,
    )


def todays_models(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Learned:
    """The learned models for these settings and these models (ids by role).

    Raises InputError if the learned folder is damaged or not valid for them.
    """
    from extraction.confidence.learned_models import load_learned, shipped

    filler, folder = models.get("filler", ""), settings.learned_folder
    if folder is None:
        return shipped(filler)
    return load_learned(folder, Binding.of(filler, models.get("embedder", ""), settings.top_k), schema)


def reviewed_samples(
    store: Store, schema: Schema, lighting: Lighting, models: Callable[[], Learned]
) -> ReviewedSamples:
    """The samples of fully reviewed dictations that today's models have weighed or can weigh again."""
    samples: list[Sample] = []
    shown: list[Sample] = []
    for dictation, _, values in reviewed_to_the_end(store, schema):
        run = store.runs.of(dictation.id)
        is_shown = run.weighed_by == lighting.weighed_by
        if is_shown or lighting.can_weigh_again(run.features_signature):
            sample = _sample(Annotated.of(run, values), None if is_shown else models())
            if len(sample.wrong):
                samples.append(sample)
                shown += [sample] * is_shown
    return ReviewedSamples(samples, shown)


def samples_of(reviewed: Iterable[Annotated]) -> list[Sample]:
    """The samples of these dictations; dictations without any value weighed by the layers are skipped."""
    found = [_sample(one) for one in reviewed]
    return [sample for sample in found if len(sample.wrong)]


def drifted(samples: Sequence[Sample], lighting: Lighting) -> bool:
    """Whether fewer wrong proposals of the latest dictations were lit than chance allows under the promise."""
    if lighting.calibration is None or not samples:
        return False
    latest = _all(samples[-RECENT:]).proposals
    lit = lighting.calibration.lit(latest.errors, lighting.alpha, lighting.weight)
    caught, wrong = int(lit[latest.wrong].sum()), int(latest.wrong.sum())
    if caught >= (1 - lighting.alpha) * wrong:
        return False
    from scipy.special import bdtr  # the binomial distribution; scipy.stats takes much longer to load

    return bool(bdtr(caught, wrong, 1 - lighting.alpha) < _DRIFT_P)


def _sample(reviewed: Annotated, models: Learned | None = None) -> Sample:
    """The sample of a dictation, with the errors stored with its values or, given `models`, with theirs."""
    import numpy as np

    gold = all_items((value.row_id, value.value) for value in reviewed.accepted)
    proposals = [value.filled for value in reviewed.proposals if value.filled]
    proposed = set(proposals)
    read = [*proposals, *reviewed.held_back]
    weighed = _weighed_again(read, models) if models else read
    layers = max((len(one.errors) for one in weighed), default=0)
    known = [
        (one, errors)
        for one, now in zip(read, weighed, strict=True)
        if (errors := errors_of(now, layers)) and not one.is_unit
    ]
    return Sample(
        np.array([errors for _, errors in known], dtype=np.float64).reshape(len(known), layers),
        np.array([not items(one.row_id, one.value) <= gold for one, _ in known], dtype=bool),
        np.array([one in proposed for one, _ in known], dtype=bool),
        np.zeros(len(known), dtype=np.int64),
    )


def _weighed_again(values: Sequence[ProposedValue], models: Learned) -> list[ProposedValue]:
    """The values as if they were read today.

    Values without features have no errors; those written by a rule get the rule's current precision as confidence.
    """
    found = []
    for value, weight in zip(values, models.reweigh([one.features for one in values]), strict=True):
        if value.is_unit:  # not judged by itself
            found.append(value)
        elif weight:
            found.append(replace(value, confidence=weight[0], errors=rounded(weight[1])))
        else:
            sure = models.precisions.get(value.rule, value.confidence)
            found.append(replace(value, confidence=sure, errors=()))
    return found


def _all(samples: Sequence[Sample]) -> Sample:
    whole = samples[0]
    for sample in samples[1:]:
        whole = whole.joined(sample)
    return whole
