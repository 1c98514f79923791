"""Colours are told apart by people who see little of them: the ratios of WCAG 2.2, worked out from the themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from ui.kit.theme import ICONS, SCHEMES, load_colours
from ui.kit.words import STATUS_WORDS

STATUSES = ("proposed", "confirmed", "edited", "rejected", "added")
LEVELS = ("info", "warning", "error", "bug", "running", "waiting")
GROUNDS = ("window", "surface", "raised", "hover", "selection")
# text and what it stands on, as the views use them
TEXTS = [
    *((text, back) for text in ("text", "muted") for back in GROUNDS),
    ("on_accent", "accent"), ("on_accent", "accent_hover"), ("banner_text", "banner"), ("banner_muted", "banner"),
    ("banner_text", "banner_control"), ("banner_muted", "banner_control"),
    ("text", "evidence_sentence"), ("evidence_text", "evidence_span"),
    *((text, "lit_soft") for text in ("text", "muted", "warning")),
    *(("lit", back) for back in ("lit_soft", "surface", "raised", "hover", "selection")),
    ("warning", "window"), ("warning", "surface"), ("warning", "selection"), ("warning", "hover"),
    *(("abnormal", back) for back in (*GROUNDS, "lit_soft", "conflict_soft")),
    ("error", "window"), ("error", "surface"), ("accent", "surface"), ("accent", "selection"),
    *((status, f"{status}_soft") for status in STATUSES),
    *((status, back) for status in STATUSES for back in ("surface", "selection")),
    *(("text", f"{level}_soft") for level in ("accent", "confirmed", "warning", "error")),
    *(("conflict", back) for back in ("conflict_soft", "lit_soft", "surface", "hover", "selection")),
    ("text", "conflict_soft"), ("text", "confirmed_soft"), ("replaced", "replaced_soft"),
    *(("replaced", back) for back in ("surface", "selection")),
    ("surface", "text"),  # tips
]  # fmt: skip
# icons, edges of controls and of messages, marks of focus and of what is chosen
SIGNS = [
    *((sign, back) for sign in ("border_strong", "accent") for back in GROUNDS),
    *(("scroll", back) for back in ("window", "surface", "raised")),
    ("banner_border", "banner"), ("banner_text", "banner"), ("evidence_line", "surface"),
    *((level, f"{level}_soft") for level in ("confirmed", "warning", "error", "accent")),
    *((sign, back) for sign in ("confirmed", "warning", "error", "lit", *STATUSES) for back in ("window", "surface")),
    *((lamp, "lamp_off") for lamp in ("confirmed", "warning", "error")),
    ("on_accent", "accent"), ("accent", "raised"),
]  # fmt: skip
LEAST = {"light": (4.5, 3.0), "dark": (4.5, 3.0), "contrast": (7.0, 4.5)}


def luminance(colour: str) -> float:
    channels = (QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF())
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("kind", "pairs"), [(0, TEXTS), (1, SIGNS)], ids=["texts", "signs"])
def test_everything_stands_out_from_its_ground(scheme: str, kind: int, pairs: list[tuple[str, str]]) -> None:
    colours, least = load_colours(scheme), LEAST[scheme][kind]
    found = {(one, back): round(contrast(colours[one], colours[back]), 2) for one, back in pairs}
    assert not {pair: ratio for pair, ratio in found.items() if ratio < least}


def test_every_colour_that_icons_are_drawn_in_is_looked_at() -> None:
    checked = {sign for sign, _ in (*SIGNS, *TEXTS)}
    used = set()
    for module in (Path(__file__).parents[3] / "ui").rglob("*.py"):
        used |= set(re.findall(r'icon\(\s*"[a-z-]+",\s*"([a-z_]+)"', module.read_text(encoding="utf-8")))
    assert len(used) > 8
    assert used - checked <= {"disabled"}


def test_no_state_is_shown_by_colour_alone() -> None:
    """Each status and each kind of message has a sign of its own shape, and each status a word of its own."""
    signs = {name: (ICONS / f"{name}.svg").read_text(encoding="utf-8") for name in (*STATUSES, "lit", *LEVELS)}
    assert len(set(signs.values())) == len(signs)
    assert len(set(STATUS_WORDS.values())) == len(STATUS_WORDS) == len(STATUSES)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_abnormal_values_never_have_the_colour_of_doubt(scheme: str) -> None:
    colours = load_colours(scheme)
    abnormal, lit = QColor(colours["abnormal"]), QColor(colours["lit"])
    apart = abs(abnormal.hslHue() - lit.hslHue())
    assert min(apart, 360 - apart) >= 25
    assert abnormal.hslSaturation() >= lit.hslSaturation()
