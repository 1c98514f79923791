"""Which proposals are lit for the nurse, and why in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from zipfile import BadZipFile

from app.chart.records import ReviewedValue
from app.chart.reviewer_tendencies import NO_TENDENCIES, ReviewerTendency
from app.system import paths
from app.system.settings import Settings
from extraction.confidence.binding import Binding
from extraction.estimators.calibration import Calibration, Outlook, Sample
from extraction.flowsheet.findings import Finding, texts
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue
from extraction.rules.changes import errors_of
from models.errors import InputError

# From where on a doubt is worth naming, between 0 and 1: how far a layer is off the mean of all, how near the next
# value comes to the proposed one, how likely the row was not mentioned, how little row and sentence are alike.
_DISAGREEMENT = 0.2
_TIE = 0.5
_UNMENTIONED = 0.5
_UNCLEAR = 0.35


class LitBy(StrEnum):
    """What decides which proposals are lit: a calibration of this hospital's dictations, the one that is shipped, or,
    where neither fits, the confidence alone."""

    OWN = "own"
    SHIPPED = "shipped"
    CONFIDENCE = "confidence"


@dataclass(frozen=True)
class Lighting:
    """What decides about lights.

    Attributes:
        calibration: None where nothing is calibrated: then the confidence decides alone, and nothing is promised.
        annotated: values of this hospital's annotated dictations; None where it has none.
        own: whether the calibration is of this hospital's dictations, not of those that Wardlight was made with.
        alpha: share of errors that may stay unflagged, 0 to 1 (ReDD, section 4.1).
        weight: how much disagreement of layers counts, 0 to 1 (lambda, section 4.2).
        threshold: confidence below which a proposal is lit where nothing is calibrated.
        weighed_by: signature of the values that the calibration is for.
        features_signature: of values that can be weighed again as if they were read today.
    """

    calibration: Calibration | None
    annotated: Sample | None
    own: bool
    alpha: float
    weight: float
    threshold: float
    weighed_by: str = ""
    features_signature: str = ""

    def lights(
        self,
        proposals: Sequence[tuple[Row, FilledValue]],
        weighed_by: str,
        tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES,
    ) -> list[tuple[str, ...]]:
        """Why each proposal that was weighed by this signature is lit; nothing for one that is not.

        What a rule wrote is lit as surely as the rule is wrong (`extraction.rules.changes`), what nothing has weighed
        by its confidence; what has flags is always lit.
        `tendencies` of reviewers, by row id, only explain: they light nothing.
        """
        lit = [value.confidence < self.threshold for _, value in proposals]
        if self.promises(weighed_by):
            import numpy as np

            assert self.calibration is not None
            layers = self.calibration.sample.errors.shape[1]
            weighed = {place: found for place, (_, one) in enumerate(proposals) if (found := errors_of(one, layers))}
            errors = np.array(list(weighed.values())).reshape(-1, layers)
            for place, is_lit in zip(weighed, self.calibration.lit(errors, self.alpha, self.weight), strict=True):
                lit[place] = bool(is_lit)
        return [
            reasons(*one, tendencies) if is_lit or one[1].flags else ()
            for is_lit, one in zip(lit, proposals, strict=True)
        ]

    def decides(self, weighed_by: str) -> LitBy:
        """What decides about proposals that were weighed by this signature."""
        if not self.promises(weighed_by):
            return LitBy.CONFIDENCE
        return LitBy.OWN if self.own else LitBy.SHIPPED

    def promises(self, weighed_by: str) -> bool:
        """Whether values that was weighed by this signature are lit by calibration."""
        return self.calibration is not None and weighed_by == self.weighed_by != ""

    def can_weigh_again(self, features_signature: str) -> bool:
        """Whether today's models can weigh values whose features mean this as if they had just read them."""
        return features_signature == self.features_signature != ""

    def outlook(self, alpha: float, weight: float) -> Outlook | None:
        """What is to be expected of another choice; None where nothing is calibrated."""
        return self.calibration.outlook(alpha, weight) if self.calibration else None


def lights_of(
    values: Iterable[ReviewedValue],
    schema: Schema,
    chosen: Lighting,
    weighed_by: str,
    tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES,
) -> dict[int, tuple[str, ...]]:
    """By id why each of a dictation's proposals that is lit is; `weighed_by` is the signature of what weighed them."""
    proposals = [(value.id, schema.row(value.row_id), value.filled) for value in values if value.filled]
    reasons = chosen.lights([(row, filled) for _, row, filled in proposals], weighed_by, tendencies)
    return {value_id: why for (value_id, _, _), why in zip(proposals, reasons, strict=True) if why}


def lighting_of(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Lighting:
    """What decides about the lights of a dictation filled by these models (ids by role); its confidences where a file
    of that cannot be read."""
    try:
        return lighting(settings, schema, models)
    except InputError:  # said when the dictation is filled; one that was filled before can be reviewed all the same
        return _chosen(settings, None, None, own=False)


def lighting(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Lighting:
    """What decides about lights under these settings, for dictations filled by these models (ids by role).

    What was calibrated on reviews comes first, then what was learned from annotated cases, then what is shipped. Values
    that are read otherwise than those of the calibration, such as by another language model, are lit by their
    confidence, and nothing is promised of them.

    Raises InputError, see `load_calibration` and `load_reviewed`.
    """
    from extraction.confidence.learned_models import (  # brings numpy, without which the window starts
        load_calibration,
        signature,
    )

    folder, method = settings.learned_folder, settings.reading_method
    filler = models.get("filler", "")
    now = Binding.of(filler, models.get("embedder", ""), method)
    known = load_calibration(folder, filler)
    weighed_by = signature(known.identity, now, schema)
    features_signature = signature(known.features_identity, now, schema)
    if not method.calibratable:
        return _chosen(settings, None, None, own=False, weighed_by=weighed_by)
    reviewed, calibration = load_reviewed(weighed_by), known.calibration if known.binding == now else None
    annotated = calibration.sample if folder and calibration else None
    own = folder is not None or reviewed is not None
    chosen = _chosen(settings, reviewed or calibration, annotated, own=own, weighed_by=weighed_by)
    return replace(chosen, features_signature=features_signature)


def _chosen(
    settings: Settings, calibration: Calibration | None, annotated: Sample | None, *, own: bool, weighed_by: str = ""
) -> Lighting:
    return Lighting(
        calibration,
        annotated,
        own=own,
        alpha=settings.alpha,
        weight=settings.conflict_weight,
        threshold=settings.accept_threshold,
        weighed_by=weighed_by,
    )


def reviewed_file(weighed_by: str) -> Path:
    """Where a calibration on reviews of values of this signature is kept."""
    return paths.calibrations_dir() / f"{weighed_by}.npz"


def load_reviewed(weighed_by: str) -> Calibration | None:
    """What was calibrated on reviews; None where nothing was. Raises InputError for a damaged file."""
    path = reviewed_file(weighed_by)
    try:
        return Calibration.load(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise InputError(f"{path} is damaged.", "Calibrate again with: wardlight calibrate.") from error


def reasons(
    row: Row, value: FilledValue, tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES
) -> tuple[str, ...]:
    """Why a proposal is doubtful, its flags first, then the strongest reason; never empty. What reviewers usually do
    comes last."""
    found = [one for one in value.findings if one.lights]
    # where another value is the surer one, a rule has set this one, and its flag names the other
    if value.alternatives and _TIE * value.confidence <= value.alternatives[0][1] <= value.confidence:
        found.append(Finding("near_tie", (display(row, value.value), value.alternatives[0][0])))
    if value.not_mentioned >= _UNMENTIONED:
        found.append(Finding("maybe_not_said"))
    if value.relevance < _UNCLEAR:
        found.append(Finding("no_clear_mention"))
    if value.errors and max(value.errors) - sum(value.errors) / len(value.errors) >= _DISAGREEMENT:
        found.append(Finding("layers_disagree"))
    tendency = tendencies.get(row.id)
    if tendency and (usually := tendency.reason(row, value.value)):
        found.append(usually)
    return texts(found or [Finding("often_misread")])
