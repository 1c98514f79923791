"""One picture of each view. `WARDLIGHT_SCREENSHOTS=docs/screenshots` writes them where the documentation shows them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.records import ReviewStatus
from tests.fakes_app import FakeEngine, until_cancelled
from tests.gui.conftest import Ward


@pytest.fixture
def shot(tmp_path: Path) -> Callable[[QWidget, str], QImage]:
    folder = Path(os.environ.get("WARDLIGHT_SCREENSHOTS") or tmp_path)

    def save(widget: QWidget, name: str) -> QImage:
        QApplication.processEvents()
        path = folder / f"{name}.png"
        assert widget.grab().save(str(path))
        return QImage(str(path))

    return save


@pytest.fixture
def take(shot: Callable[[QWidget, str], QImage]) -> Callable[[Ward, str], QImage]:
    def shoot(ward: Ward, name: str) -> QImage:
        ward.window.resize(1280, 800)
        ward.window.page.transcript.viewport().unsetCursor()
        image = shot(ward.window, name)
        assert (image.width(), image.height()) == (1280, 800)
        return image

    return shoot


def share_of(image: QImage, colour: QColor) -> float:
    """The share of pixels in exactly this colour, of every third one."""
    places = [(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)]
    return sum(image.pixelColor(x, y) == colour for x, y in places) / len(places)


def test_empty(new_ward: Callable[..., Ward], take: Callable[[Ward, str], QImage]) -> None:
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    ward.until(lambda: ward.window.start.open.isVisible())
    image = take(ward, "empty")
    assert share_of(image, ward.theme.colour("banner")) > 0.05


def test_working(new_ward: Callable[..., Ward], take: Callable[[Ward, str], QImage]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: "fill the rows" in ward.window.strip.text and ward.window.page.transcript.toPlainText())
    image = take(ward, "working")
    assert share_of(image, ward.theme.colour("accent")) > 0.01  # the bars


@pytest.mark.parametrize(("theme", "name"), [("light", "review"), ("dark", "review-dark")])
def test_review(review: Ward, take: Callable[[Ward, str], QImage], theme: str, name: str) -> None:
    review.window._choose_theme(theme, save=False)
    for row_id in ("hr", "bp"):
        review.choose(row_id)
        review.window.page.act("accept")
        review.until_status(row_id, ReviewStatus.CONFIRMED)
    review.choose("rhythm")
    review.window.page.act("reject")
    review.until_status("rhythm", ReviewStatus.REJECTED)
    page = review.window.page
    assert page.sheet
    review.workbench.edit(page.sheet, review.value("rr").id, 20.0, "/min")
    review.until_status("rr", ReviewStatus.EDITED)
    review.choose("spo2")
    image = take(review, name)
    assert review.window.page.transcript.lit_text() == "94 percent"
    assert share_of(image, review.theme.colour("evidence_span")) > 0.0003
    assert share_of(image, review.theme.colour("evidence_sentence")) > 0.005
