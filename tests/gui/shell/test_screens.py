"""The pictures of the views: their files and their index."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtGui import QColor, QImage

from tests.screens.__main__ import FOLDER, SCALES, THEMES, file_name
from tests.screens.palette import save_small
from tests.screens.views import VIEWS


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
