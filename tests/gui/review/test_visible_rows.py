"""How much of a flowsheet is seen at once, that nothing moves while it is reviewed, and that evidence is seen first."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Timing
from tests.gui.conftest import NARROW, Ward, lay_out
from tests.gui.hands import SHIFT, Hands, filed
from tests.kit import fake_app
from tests.kit.fake_app import FakeEngine
from ui.flowsheet.flowsheet_delegate import _BESIDE, _EDGE, _MARGIN
from ui.flowsheet.flowsheet_model import BEHIND_ROLE, Column
from ui.kit.theme import SCHEMES, SMALL_PX

CATEGORIES = ("Vital signs", "Respiratory", "Cardiac", "Intake and output", "Skin", "Neurological", "Safety")
ROWS = [f"row{number}" for number in range(45)]
LIT = ROWS[3:43:5]
SENTENCE = "All of it was read at the bedside at seven."
MOST_PRESSES = 25

PROPOSED, CONFIRMED = ReviewStatus.PROPOSED, ReviewStatus.CONFIRMED


def filled(text: str) -> tuple[FilledValue, ...]:
    """A number for each row, all read from the sentence."""
    evidence = Evidence(0, len(text), text, 0, len(text))
    return tuple(
        FilledValue(
            row_id, 40.0 + place, None, evidence, -0.1, 0.02, 0.9, 0.7, Neighbour("row", row_id, 0), "rowwise", (), ()
        )
        for place, row_id in enumerate(ROWS)
    )


@pytest.fixture
def open_large(
    new_ward: Callable[..., Ward], out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ward]:
    """Opens a window with a dictation of 45 values, 8 of them lit."""
    categories = [
        {
            "name": name,
            "rows": [
                {"id": row_id, "name": f"Measurement {row_id}", "type": "numeric", "unit": "mL"}
                for place, row_id in enumerate(ROWS)
                if place * len(CATEGORIES) // len(ROWS) == number
            ],
        }
        for number, name in enumerate(CATEGORIES)
    ]
    path = tmp_path / "large.json"
    path.write_text(json.dumps(fake_app.SCHEMA | {"categories": categories}), encoding="utf-8")
    save_settings(replace(load_settings(paths.config_file()), schema=str(path)), paths.config_file())
    monkeypatch.setattr(fake_app, "values_of", filled)

    def open_one(size: QSize | None = None) -> Ward:
        engine = FakeEngine()
        engine.flags = dict.fromkeys(LIT, ("said twice",))
        ward = new_ward(engine)
        ward.until_ready()
        ward.add_patient()
        if size:
            ward.window.resize(size)
        ward.open_text("large.txt", SENTENCE)
        ward.until_review(len(ROWS))
        ward.until_idle()
        return ward

    return open_one


def places(ward: Ward) -> dict[str, QRect]:
    """Where the lines of the flowsheet stand that are seen in full, by row."""
    view = ward.window.page.flowsheet
    found = {}
    for value in ward.values():
        place = view.visualRect(view._model.index_of(value.id))
        seen = view.viewport().visibleRegion()
        if place.isValid() and seen.contains(place.topLeft()) and seen.contains(place.bottomLeft()):
            found[value.row_id] = place
    return found


def test_the_line_that_decisions_are_about_is_always_marked(open_large: Callable[..., Ward]) -> None:
    ward = open_large()
    view = ward.window.page.flowsheet
    ward.window.side.record.setFocus()
    view.show_sheet(None)
    view.show_sheet(ward.window.page.sheet)
    assert view.current() is None
    view.setFocus()  # Qt makes a line the current one
    assert view.current()
    assert view.selectedIndexes()
    assert ward.window.page.detail.value == view.current()


@pytest.mark.parametrize(("size", "least"), [(QSize(1366, 768), 14), (QSize(1920, 1080), 24), (NARROW, 4)])
def test_so_many_rows_are_seen_at_once(open_large: Callable[..., Ward], size: QSize, least: int) -> None:
    ward = open_large(size)
    for scheme in SCHEMES:
        ward.theme.choose(scheme)
        ward.until(lambda: len(places(ward)) >= least)


@pytest.mark.parametrize("size", [QSize(1366, 768), QSize(1100, 680)])
def test_no_line_moves_when_a_value_is_accepted(open_large: Callable[..., Ward], size: QSize) -> None:
    ward = open_large(size)
    before = places(ward)
    for row_id in LIT:
        assert ward.window.page.current == ward.value(row_id)
        ward.key(Qt.Key.Key_A)
        ward.until_status(row_id, CONFIRMED)
        lay_out()
        assert places(ward) == before


def test_many_values_take_few_presses(open_large: Callable[..., Ward]) -> None:
    ward = open_large()
    hands = Hands(ward)
    for row_id in LIT:
        hands.press(Qt.Key.Key_A)
        ward.until_status(row_id, CONFIRMED)
    hands.press(Qt.Key.Key_A, modifiers=SHIFT)
    ward.until(lambda: not any(value.status is PROPOSED for value in ward.values()))
    hands.press(Qt.Key.Key_F)
    ward.until(lambda: filed(ward))
    assert hands.pressed <= MOST_PRESSES


def test_a_value_to_check_is_accepted_only_with_its_evidence_in_sight(open_large: Callable[..., Ward]) -> None:
    ward = open_large(NARROW)
    detail = ward.window.page.detail
    assert not detail.evidence_on_screen
    ward.key(Qt.Key.Key_A)
    lay_out()
    assert ward.value(LIT[0]).status is PROPOSED
    assert detail.evidence_on_screen
    ward.key(Qt.Key.Key_A)
    ward.until_status(LIT[0], CONFIRMED)
    assert ward.window.page.flowsheet.hasFocus()


@pytest.fixture
def doubtful(new_ward: Callable[..., Ward], monkeypatch: pytest.MonkeyPatch) -> Ward:
    """A ward whose values are all lit, with much to say about each: a stated time, a note, reasons, other readings."""
    read = fake_app.values_of
    told = {
        "timing": Timing("2026-11-20T06:15", None, 0, 24, "about a quarter past six"),
        "findings": (Finding("unit_assumed", ("°C",)),),
        "alternatives": (("one reading", 0.3), ("another reading", 0.2)),
    }
    monkeypatch.setattr(fake_app, "values_of", lambda text: tuple(replace(one, **told) for one in read(text)))
    engine = FakeEngine()
    reasons = ("these words may belong to another row", "said twice", "no clear mention of it was found")
    engine.flags = {value.row_id: reasons for value in read(fake_app.TEXT)}
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    return ward


@pytest.mark.parametrize("size", [QSize(1280, 720), QSize(1280, 800), QSize(1366, 768)], ids=str)
def test_each_value_to_check_is_accepted_with_one_press_in_a_window_of_usual_size(doubtful: Ward, size: QSize) -> None:
    doubtful.window.resize(size)
    for left in range(len(doubtful.values()), 0, -1):
        assert doubtful.window.page.flowsheet.lit == left
        doubtful.key(Qt.Key.Key_A)
        doubtful.until_idle()
    assert {value.status for value in doubtful.values()} == {CONFIRMED}


def test_unit_and_time_beside_a_value_are_never_cut(doubtful: Ward) -> None:
    view = doubtful.window.page.flowsheet
    delegate = view._delegate
    index = view._model.index_of(doubtful.value("device").id).siblingAtColumn(Column.VALUE)
    behind, metrics = index.data(BEHIND_ROLE), view._delegate._theme.font(SMALL_PX)[1]
    assert "06:15" in behind
    for width in range(110, 200):
        view.setColumnWidth(Column.VALUE, width)
        lines = delegate._lines_of(index)
        if len(lines) == 1:
            room = width - _MARGIN - _EDGE - _BESIDE - delegate._metrics(index).horizontalAdvance(index.data())
            assert lines == [index.data()]
            assert metrics.elidedText(behind, Qt.TextElideMode.ElideRight, room) == behind, width
        else:
            assert "06:15" in " ".join(lines)
