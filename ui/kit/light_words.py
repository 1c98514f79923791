"""What lit values, the promise behind them and what to expect of a choice are called."""

from __future__ import annotations

from app.chart.lights import Lighting, LitBy
from extraction.estimators.calibration import Outlook

_RARE = 0.01
_NEARLY_ALL = 0.975
_LIMITS = "This holds over many dictations, not for each one. A value that is not lit can still be wrong."
SOURCES = {
    LitBy.OWN: "As in dictations of this hospital.",
    LitBy.SHIPPED: "As in the dictations that Wardlight was made with; yours may differ.",
    LitBy.CONFIDENCE: "",
}
NOT_CALIBRATED = (
    "Nothing is calibrated for this flowsheet and these models yet: values are lit by confidence alone, "
    "and nothing is promised."
)
ABOUT_DRIFT = (
    "In the latest dictations that were reviewed to the end, fewer wrong values were lit than promised, and chance "
    "does not explain it. Ask for a new calibration (wardlight calibrate). Until then, look at unlit values, too."
)
NOT_KEPT = "Too few wrong values are known to promise this: every proposal would be lit."


def lit_words(lighting: Lighting, by: LitBy, count: int, *, drifted: bool) -> str:
    """How many values are lit, and by what; or that it is time to calibrate anew, where reviews contradict it."""
    if drifted:
        return f"{count or 'None'} lit. Recent reviews: too few wrong values were lit. Ask to recalibrate."
    words = {
        LitBy.OWN: "by what this hospital's dictations taught",
        LitBy.SHIPPED: "by general experience; not adjusted to this hospital yet",
        LitBy.CONFIDENCE: f"by confidence alone (less than {lighting.threshold:.0%} sure); nothing is promised",
    }
    return f"{count or 'None'} lit {words[by]}"


def promise_words(lighting: Lighting, by: LitBy, *, drifted: bool) -> str:
    """What a person may rely on, and first of all that it was not kept, where reviews contradict it."""
    if drifted:
        return f"{ABOUT_DRIFT} What was promised: {promise_words(lighting, by, drifted=False)}"
    caught = f"at least {caught_words(lighting.alpha)} are lit or were never proposed"
    few = "Where too few wrong values are known to keep this, every proposal is lit."
    if by is LitBy.OWN:
        return f"Of all values that are read wrongly, {caught}. {_LIMITS} {few}"
    if by is LitBy.SHIPPED:
        return (
            f"Of the values that were read wrongly in the dictations Wardlight was made with, {caught}. "
            f"Whether that holds for dictations of this hospital is not known yet. {_LIMITS}"
        )
    return (
        f"Nothing is calibrated for these values. Those of which Wardlight is less than {lighting.threshold:.0%} sure "
        "are lit; how many of the wrong ones that catches is not known. A value that is not lit can still be wrong."
    )


def caught_words(alpha: float) -> str:
    """The share of wrong values that is to be caught, in percent."""
    return f"{100 * (1 - alpha):.3g}%"


def outlook_words(outlook: Outlook) -> str:
    """What is to be expected of a choice, in numbers as they are counted."""
    if not outlook.kept:
        return NOT_KEPT
    lit, wrong = often(outlook.lit), often(outlook.wrong_unlit)
    return f"{lit[:1].upper()}{lit[1:]} proposals will be lit.\nOf those that are not lit, {wrong} will be wrong."


def often(share: float) -> str:
    """A share as a count: 'about 3 of 20'."""
    if share < _RARE:
        return "hardly any"
    if share >= _NEARLY_ALL:
        return "nearly all"
    few = round(20 * share)
    return f"about {few} of 20" if few else f"about {round(100 * share)} of 100"
