"""Nothing is charted at a time still to come without a second confirmation of that very time."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.chart.cells import local_of, utc_of
from app.chart.records import ReviewStatus
from app.cli import main
from app.pipeline import PipelineResult
from app.services.review.cautions import clock_words, time_to_come
from app.store import Store
from app.system import paths
from extraction.flowsheet.errors import OutOfRange
from extraction.flowsheet.ranges import Caution, Outside
from extraction.flowsheet.values import Timing
from models.base.errors import InputError
from tests.kit.fake_app import FakeEngine
from tests.kit.ranges import MisreadingEngine
from tests.kit.workbench import WorkbenchKit, of

NOW = "2026-11-21T20:01:00.000+00:00"


def minute(later: int) -> str:
    """So many minutes from now, as an observation time."""
    return f"{local_of(NOW) + timedelta(minutes=later):%Y-%m-%dT%H:%M}"


LATER = minute(139)
OF_PULSE = Caution("hr", 112.0, None, utc_of(LATER))


class AheadEngine(FakeEngine):
    """Hears of the pulse that it was counted at a time still to come."""

    def run(self, *source: Any, **how: Any) -> PipelineResult:
        result = super().run(*source, **how)
        ahead = Timing(LATER, None, 0, 4, "This")
        timed = (replace(one, timing=ahead) if one.row_id == "hr" else one for one in result.values)
        return replace(result, values=tuple(timed))


@pytest.fixture(autouse=True)
def at_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: NOW)


def test_a_time_that_a_person_enters_is_asked_about_if_it_is_still_to_come(
    new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(FakeEngine())
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    pulse = of(sheet, "hr")
    for told in (None, Caution("hr", 112.0, None, utc_of(minute(140))), Caution("hr", 112.0, Outside.CRITICAL)):
        with pytest.raises(OutOfRange) as refused:
            reviews.edit(sheet, pulse.id, 112.0, "/min", LATER, confirmed=told)
        assert refused.value.what == f"Heart rate is timed {LATER[11:]}, but it is only {minute(0)[11:]}."
        assert getattr(refused.value, "caution") == OF_PULSE  # noqa: B009 - of a subclass
    kit.result(reviews.edit(sheet, pulse.id, 112.0, "/min", LATER, confirmed=OF_PULSE))
    sheet = kit.sheet(sheet.dictation.id)
    assert of(sheet, "hr").observed_at == LATER
    kit.result(reviews.edit(sheet, pulse.id, 110.0, "/min"))  # its time was confirmed before
    with pytest.raises(OutOfRange, match="but it is only"):
        reviews.edit(kit.sheet(sheet.dictation.id), pulse.id, 110.0, "/min", minute(200))


def test_clocks_may_differ_a_little_and_the_past_is_not_asked_about(
    new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(FakeEngine())
    sheet = kit.filled(tmp_path)
    for when in (minute(4), minute(-600), None):
        kit.result(kit.bench.review.edit(sheet, of(sheet, "hr").id, 112.0, "/min", when))
        sheet = kit.sheet(sheet.dictation.id)
        assert of(sheet, "hr").observed_at == when


def test_what_is_no_time_is_refused(new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path) -> None:
    kit = new_desk(FakeEngine())
    sheet = kit.filled(tmp_path)
    with pytest.raises(InputError, match="“25:10” is not a time"):
        kit.bench.review.edit(sheet, of(sheet, "hr").id, 112.0, "/min", "25:10")


def test_a_spoken_time_still_to_come_is_never_accepted_with_others(
    new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(AheadEngine())
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    pulse = of(sheet, "hr")
    assert pulse.observed_at == LATER
    assert pulse.id not in reviews.confident(sheet)
    kit.result(reviews.accept_rest(sheet, [value.id for value in sheet.values]))
    assert of(kit.sheet(sheet.dictation.id), "hr").status is ReviewStatus.PROPOSED
    for decide in (
        lambda told: reviews.decide(sheet, [pulse.id], "confirm", confirmed=told),
        lambda told: reviews.put_in_place(sheet, pulse.id, confirmed=told),
        lambda told: reviews.edit(sheet, pulse.id, 112.0, "/min", confirmed=told),  # a spoken or typed value
    ):
        with pytest.raises(OutOfRange, match="but it is only"):
            decide(None)
        kit.result(decide(OF_PULSE))
        kit.result(reviews.undo(sheet))


def test_an_alarming_value_still_to_come_is_asked_about_once_with_both_reasons(
    new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 59.0}))
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    low = of(sheet, "spo2")
    with pytest.raises(OutOfRange) as refused:
        reviews.edit(sheet, low.id, 59.0, "%", LATER, confirmed=Caution("spo2", 59.0, Outside.CRITICAL))
    assert "only" in refused.value.what
    both = Caution("spo2", 59.0, Outside.CRITICAL, utc_of(LATER))
    with pytest.raises(OutOfRange, match=r"is critically low\. It is timed") as refused:
        reviews.edit(sheet, low.id, 59.0, "%", LATER)
    assert getattr(refused.value, "caution") == both  # noqa: B009 - of a subclass
    kit.result(reviews.edit(sheet, low.id, 59.0, "%", LATER, confirmed=both))
    assert of(kit.sheet(sheet.dictation.id), "spo2").confirmed_outside is Outside.CRITICAL


def test_a_dictation_from_the_future_is_asked_about_value_by_value(
    new_desk: Callable[[FakeEngine], WorkbenchKit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock went back since it was recorded."""
    kit = new_desk(FakeEngine())
    sheet = kit.filled(tmp_path)
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-14T20:01:00.000+00:00")
    assert kit.bench.review.confident(sheet) == []
    with pytest.raises(OutOfRange, match=r"21 Nov 2026 .*, but it is only 14 Nov 2026"):
        kit.bench.review.add(sheet, sheet.schema.row("hr"), 80.0, "/min")
    now = datetime.fromisoformat(NOW)
    assert time_to_come(sheet.dictation, None, now) is None
    assert time_to_come(sheet.dictation, LATER, now) == utc_of(LATER)


def test_in_the_terminal_a_time_still_to_come_is_asked_for_again(
    new_desk: Callable[[FakeEngine], WorkbenchKit],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kit = new_desk(AheadEngine())
    number = kit.filled(tmp_path).dictation.id
    kit.bench.close()
    with Store(paths.database_file()) as store:
        others = [value.id for value in store.values.of(number) if value.row_id != "hr"]
        store.reviews.decide_all(others, "reject", "Kim")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\ny\ny\n"))
    main(["review", str(number), "--signed-by", "RN Adams"])
    out = capsys.readouterr().out
    assert f"Heart rate is timed {LATER[11:]}, but it is only {minute(0)[11:]}. Type y again to confirm it." in out
    assert "Not confirmed." in out
    with Store(paths.database_file()) as store:
        assert of(tuple(store.values.of(number)), "hr").status is ReviewStatus.CONFIRMED


def test_a_clock_that_went_back_is_said_before_anything_is_charted(
    new_desk: Callable[[FakeEngine], WorkbenchKit],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kit = new_desk(FakeEngine())
    assert kit.result(kit.bench.dictations.load_overview()).entry_to_come == ""
    sheet = kit.filled(tmp_path)
    assert kit.result(kit.bench.dictations.load_overview()).entry_to_come == ""
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-21T19:57:00.000+00:00")
    assert kit.result(kit.bench.dictations.load_overview()).entry_to_come == "", "clocks may differ a little"
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-14T20:01:00.000+00:00")
    assert kit.result(kit.bench.dictations.load_overview()).entry_to_come == NOW
    what, next_step = clock_words(NOW, datetime.fromisoformat("2026-11-14T20:01:00+00:00"))
    kit.bench.close()
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    main(["review", str(sheet.dictation.id), "--signed-by", "RN Adams"])
    assert f"{what} {next_step}" in capsys.readouterr().err
