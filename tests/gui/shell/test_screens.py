"""The pictures of the views: their colours and their names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtGui import QColor, QImage

from tests.screens.__main__ import shown
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


def test_documents_show_pictures_of_views() -> None:
    names = [view.name for view in VIEWS]
    assert len({*names}) == len(names)
    assert {Path(name).stem for name in shown() if "/" not in name} <= {*names}
