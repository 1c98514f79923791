"""Decides which proposals are lit for the nurse, by a calibration if there is one. `app.chart.lights` says why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile

from app.chart.lights import LightsBasis, LitBy, reasons
from app.chart.records import ReviewedValue
from app.chart.reviewer_tendencies import NO_TENDENCIES, ReviewerTendency
from app.record.values import ProposedValue
from app.system import paths
from app.system.settings import Settings
from extraction.confidence.binding import Binding
from extraction.estimators.calibration import Calibration, Outlook, Sample
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema
from extraction.rules.changes import errors_of
from models.base.errors import InputError


@dataclass(frozen=True)
class Lighting:
    """Decides which proposals are lit.

    Attributes:
        calibration: None if there is none; then confidence alone decides, and nothing is promised.
        annotated: values of this hospital's annotated cases; None without any.
        own: whether the calibration comes from this hospital's dictations and is not the shipped one.
        alpha: share of the wrong proposals that may stay unlit, 0 to 1 (ReDD, section 4.1).
        weight: how much disagreement of layers counts, 0 to 1 (lambda, section 4.2).
        threshold: confidence below which a proposal is lit if the calibration does not apply to it.
        weighed_by: signature of the values that the calibration is valid for.
        features_signature: signature of values that today's models can weigh again.
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
        proposals: Sequence[tuple[Row, ProposedValue]],
        weighed_by: str,
        tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES,
    ) -> list[tuple[Finding, ...]]:
        """Why each proposal with this signature is lit; empty for an unlit one.

        Values written by a rule are weighed by the rule's error rate (`extraction.rules.changes`). Values that nothing
        weighed are lit by confidence, and values with flags always. `tendencies` of reviewers, by row id, only add
        reasons: they light nothing.
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
        """What decides about proposals with this signature."""
        if not self.promises(weighed_by):
            return LitBy.CONFIDENCE
        return LitBy.OWN if self.own else LitBy.SHIPPED

    def basis(self, weighed_by: str) -> LightsBasis:
        """What the lights of proposals with this signature are based on."""
        return LightsBasis(self.decides(weighed_by), self.alpha, self.weight, self.threshold)

    def promises(self, weighed_by: str) -> bool:
        """Whether values with this signature are lit by the calibration."""
        return self.calibration is not None and weighed_by == self.weighed_by != ""

    def can_weigh_again(self, features_signature: str) -> bool:
        """Whether today's models can weigh values with this features signature as if they were just read."""
        return features_signature == self.features_signature != ""

    def outlook(self, alpha: float, weight: float) -> Outlook | None:
        """What to expect from another choice; None without a calibration."""
        return self.calibration.outlook(alpha, weight) if self.calibration else None


def lights_of(
    values: Iterable[ReviewedValue],
    schema: Schema,
    chosen: Lighting,
    weighed_by: str,
    tendencies: Mapping[str, ReviewerTendency] = NO_TENDENCIES,
) -> dict[int, tuple[Finding, ...]]:
    """By id of a dictation's lit proposals, the reasons; `weighed_by` is the signature of its values."""
    proposals = [(value.id, schema.row(value.row_id), value.filled) for value in values if value.filled]
    reasons = chosen.lights([(row, filled) for _, row, filled in proposals], weighed_by, tendencies)
    return {value_id: why for (value_id, _, _), why in zip(proposals, reasons, strict=True) if why}


def lighting_of(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Lighting:
    """As `lighting`, but confidence alone decides if a file cannot be read."""
    try:
        return lighting(settings, schema, models)
    except InputError:  # reported when a dictation is filled; those filled before can still be reviewed
        return _chosen(settings, None, None, own=False)


def lighting(settings: Settings, schema: Schema, models: Mapping[str, str]) -> Lighting:
    """The lighting under these settings for dictations filled by these models (ids by role).

    A calibration on reviews takes precedence over one from annotated cases, and both over the shipped one. Values that
    were read differently from those of the calibration, for example by another language model, are lit by confidence,
    and nothing is promised.

    Raises InputError, see `load_calibration` and `load_reviewed`.
    """
    from extraction.confidence.learned_models import (  # imports numpy, which the window does not need to start
        load_calibration,
        signature,
    )

    folder, filler = settings.learned_folder, models.get("filler", "")
    now = Binding.of(filler, models.get("embedder", ""), settings.top_k)
    known = load_calibration(folder, filler)
    weighed_by = signature(known.identity, now, schema)
    features_signature = signature(known.features_identity, now, schema)
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
    """The file for a calibration on reviewed values with this signature."""
    return paths.calibrations_dir() / f"{weighed_by}.npz"


def load_reviewed(weighed_by: str) -> Calibration | None:
    """The calibration on reviews; None if there is none. Raises InputError for a damaged file."""
    path = reviewed_file(weighed_by)
    try:
        return Calibration.load(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise InputError(f"{path} is damaged.", "Calibrate again with: wardlight calibrate.") from error
