"""What the dictation lacks, beside the last look: found, dismissed, shown again, and added with one key each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chart.records import ReviewStatus
from app.store import Store
from app.system import paths
from app.system.settings import load_settings, save_settings
from tests.gui.conftest import Ward, lay_out
from tests.gui.hands import filed
from tests.kit.charted import ADA, DAY, Days
from tests.kit.fake_app import WEIGHED_BY, FakeEngine
from ui.flowsheet.gaps.gap_panel import GapPanel

LACKING = "Pain score"


@pytest.fixture
def looking(new_ward: Callable[..., Ward], out: Path, calibrated: None, monkeypatch: pytest.MonkeyPatch,
            tmp_path: Path) -> Ward:  # fmt: skip
    """The last look at an evening round whose pain was rejected; four rounds of the day had one."""
    save_settings(replace(load_settings(paths.config_file()), last_look=True), paths.config_file())
    days = Days(monkeypatch.setattr, tmp_path)
    with Store(paths.database_file()) as store:
        for hour, pain in (("04:10", 2.0), ("08:05", 4.0), ("12:20", 5.0), ("16:00", 3.0)):
            number = days.chart(store, f"{DAY}T{hour}", {"hr": 84.0, "pain": pain}, ADA)
            store.filings.file(number, "T. Early", [])
        number = days.chart(store, f"{DAY}T20:15", {}, ADA, name="evening round.txt", review=False)
        for value in store.values.of(number):
            store.reviews.decide(value.id, "reject" if value.row_id == "pain" else "confirm", "T. Early")
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.until_review()
    ward.window.resize(1366, 768)
    lay_out()
    ward.key(Qt.Key.Key_F)
    ward.until(lambda: panel(ward).texts())
    return ward


def panel(ward: Ward) -> GapPanel:
    return ward.window.page.looks.last_look.gaps


def test_what_lacks_is_seen_with_its_last_time(looking: Ward, tmp_path: Path) -> None:
    assert panel(looking).texts()[0].startswith(f"{LACKING}\nlast charted 16:00: 3")
    assert "in the last assessment" in panel(looking).texts()[0]
    assert "4 filed dictations" in panel(looking).about.text()
    looking.window.grab().save(str(tmp_path / "gaps.png"))


def test_a_row_is_dismissed_and_shown_again_with_one_key_each(looking: Ward) -> None:
    looking.key(Qt.Key.Key_Right)
    assert panel(looking).list.hasFocus()
    looking.key(Qt.Key.Key_R)
    looking.until(lambda: not any(LACKING in text for text in panel(looking).texts()))
    looking.until_idle()
    assert "1 dismissed" in panel(looking).about.text()
    looking.key(Qt.Key.Key_U)
    looking.until(lambda: any(LACKING in text for text in panel(looking).texts()))
    looking.key(Qt.Key.Key_F)
    looking.until(lambda: filed(looking))


def test_a_value_is_entered_from_the_last_look_which_stays(looking: Ward) -> None:
    looking.key(Qt.Key.Key_Right)

    def enter(dialog: object) -> None:
        looking.type("6")
        QTest.keyClick(dialog.editor.stops[0], Qt.Key.Key_Return)  # type: ignore[attr-defined]

    looking.in_dialog(lambda: looking.key(Qt.Key.Key_Return), enter)
    looking.until(lambda: any(one.status is ReviewStatus.ADDED for one in looking.values()))
    looking.until_idle()
    assert looking.window.page.looks.shown is looking.window.page.looks.last_look
    assert not any(LACKING in text for text in panel(looking).texts())


def test_escape_goes_back(looking: Ward) -> None:
    looking.key(Qt.Key.Key_Right)
    looking.key(Qt.Key.Key_Left)
    assert looking.window.page.looks.last_look.values.hasFocus()
    looking.key(Qt.Key.Key_Right)
    looking.key(Qt.Key.Key_Escape)
    assert looking.window.page.looks.shown is None
