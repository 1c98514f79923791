"""Texts about lit values, the promise, and what to expect of a choice of settings."""

from __future__ import annotations

from app.chart.lights import LightsBasis, LitBy
from extraction.estimators.calibration import Outlook
from ui.kit.words import plural

_RARE = 0.01
_NEARLY_ALL = 0.975
_LIMITS = "This holds across many dictations, not for each one. A value that is not flagged can still be wrong."
SOURCES = {
    LitBy.OWN: "Based on your ward's dictations.",
    LitBy.SHIPPED: "Based on the dictations used to develop Wardlight; yours may differ.",
    LitBy.CONFIDENCE: "",
}
NOT_CALIBRATED = (
    "Not yet calibrated for this flowsheet and these models: values are flagged by confidence alone, "
    "without a guarantee."
)
ABOUT_DRIFT = (
    "In recently completed reviews, fewer errors were flagged than promised, and chance does not explain it. "
    "Ask for recalibration (wardlight calibrate). Until then, check unflagged values, too."
)
NOT_KEPT = "Too few errors are known to promise this: every proposal would be flagged."


def lit_words(by: LitBy, count: int, conflicts: int, *, drifted: bool) -> str:
    """How many values are to check, how many of them for a conflict alone, and by what they are flagged or, if
    `drifted`, that recalibration is needed."""
    among = f" ({plural(conflicts, 'conflict')})" if conflicts else ""
    told = f"{count or 'None'} to check{among}"
    if drifted:
        return f"{told} · too few errors were flagged recently; ask for recalibration"
    words = {
        LitBy.OWN: "based on your ward",
        LitBy.SHIPPED: "not yet based on your ward",
        LitBy.CONFIDENCE: "reliability not measured",
    }
    return f"{told} · {words[by]}"


def promise_words(lighting: LightsBasis, by: LitBy, *, drifted: bool) -> str:
    """The promise about lit values; if `drifted`, first says that reviews contradict it."""
    if drifted:
        return f"{ABOUT_DRIFT} The promise was: {promise_words(lighting, by, drifted=False)}"
    caught = f"at least {caught_words(lighting.alpha)} are flagged"
    few = "Where too few errors are known to promise this, every proposal is flagged."
    if by is LitBy.OWN:
        return f"Of the values proposed wrongly, {caught}. {_LIMITS} {few}"
    if by is LitBy.SHIPPED:
        return (
            f"Of the values proposed wrongly in the dictations used to develop Wardlight, {caught}. "
            f"This is not yet confirmed for your ward's dictations. {_LIMITS}"
        )
    return (
        f"Not calibrated for these values. Values below {lighting.threshold:.0%} confidence are flagged; how many "
        "errors this catches is not known. A value that is not flagged can still be wrong."
    )


def caught_words(alpha: float) -> str:
    """The promised share of wrong proposals that are flagged, in percent."""
    return f"{100 * (1 - alpha):.3g}%"


def outlook_words(outlook: Outlook) -> str:
    """What to expect of a choice, in counts."""
    if not outlook.kept:
        return NOT_KEPT
    lit, wrong = often(outlook.lit), often(outlook.wrong_unlit)
    return f"{lit[:1].upper()}{lit[1:]} proposals will be flagged.\nOf the others, {wrong} will be wrong."


def often(share: float) -> str:
    """A share as a count: 'about 3 of 20'."""
    if share < _RARE:
        return "hardly any"
    if share >= _NEARLY_ALL:
        return "nearly all"
    few = round(20 * share)
    return f"about {few} of 20" if few else f"about {round(100 * share)} of 100"
