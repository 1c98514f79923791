"""The pictures of the views: what they show is there, in the colours of each theme, in files that are small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.screens.__main__ import FOLDER, SCALES, THEMES, file_name
from tests.screens.palette import save_small, share_of
from tests.screens.views import VIEWS, Stage, bring
from ui.kit.theme import SCHEMES, load_colours

# what must be seen in a view, and the least share of the picture
SEEN = {
    "start": ("banner", 0.03),
    "recording": ("error", 0.0001),
    "live": ("error", 0.0001),
    "working": ("accent", 0.005),
    "review": ("evidence_span", 0.0003),
    "lit": ("lit_soft", 0.005),
    "filed": ("confirmed_soft", 0.01),
    "history": ("accent", 0.001),
    "conflict": ("conflict_soft", 0.01),
    "keys": ("surface", 0.25),
    "settings-lit": ("accent", 0.002),
    "unfinished-recording": ("warning_soft", 0.02),
    "assistant-broken-schema": ("error_soft", 0.05),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", SEEN)
def test_a_picture_shows_its_view_and_is_small(qtbot: QtBot, tmp_path: Path, name: str, scheme: str) -> None:
    path = tmp_path / "picture.png"

    def save(widget: QWidget) -> None:
        save_small(widget.grab().toImage(), path, 32)

    bring(next(view for view in VIEWS if view.name == name), Stage(qtbot, tmp_path, scheme), save)
    colour, least = SEEN[name]
    assert share_of(QImage(str(path)), QColor(load_colours(scheme)[colour])) > least
    assert path.stat().st_size < 90_000


def test_few_colours_come_close_to_all(tmp_path: Path) -> None:
    image = QImage(256, 64, QImage.Format.Format_RGB32)
    for x in range(256):
        for y in range(64):
            image.setPixelColor(x, y, QColor(255, 255, 255) if y < 60 else QColor(x, x, x))
    save_small(image, tmp_path / "few.png", 17)
    few = QImage(str(tmp_path / "few.png"))
    assert few.pixelColor(9, 9) == QColor(255, 255, 255)
    apart = [abs(few.pixelColor(x, 62).red() - x) for x in range(256)]
    assert len({few.pixelColor(x, 62).red() for x in range(256)}) <= 17
    assert max(apart) <= 16
    assert float(np.mean(apart)) < 6


def test_the_index_and_the_guides_name_pictures_that_are_there() -> None:
    wanted = {file_name(view.name, theme, scale) for view in VIEWS for theme in THEMES for scale in SCALES}
    assert {path.name for path in FOLDER.glob("*.png")} == wanted
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"({name})" in index for name in wanted)
    assert len({view.name for view in VIEWS}) == len(VIEWS)
