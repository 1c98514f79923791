"""Nothing impossible gets into the chart, and nothing alarming without a second confirmation of that very value."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from app.chart.records import ReviewedValue, ReviewStatus
from app.cli import main
from app.services.review.filing import refuse_unreviewed
from app.store import Store
from app.system import paths
from extraction.flowsheet.errors import OutOfRange
from extraction.flowsheet.ranges import Caution, Outside
from models.base.errors import InputError
from tests.kit.fake_app import FakeEngine
from tests.kit.ranges import MisreadingEngine
from tests.kit.store import recorded
from tests.kit.workbench import WorkbenchKit, of

LOW = Caution("spo2", 59.0, Outside.CRITICAL)


def test_an_impossible_value_is_not_entered(new_desk: Callable[..., WorkbenchKit], tmp_path: Path) -> None:
    """The schema says no more than that the row is a percentage that is plausible up to 100."""
    kit = new_desk(FakeEngine(), ranged=False)
    sheet = kit.filled(tmp_path)
    with pytest.raises(InputError, match="400 % is not possible: Oxygen saturation accepts 0–100 %"):
        kit.bench.review.edit(sheet, of(sheet, "spo2").id, 400.0, "%")
    with pytest.raises(InputError, match="-4 /min is not possible"):
        kit.bench.review.edit(sheet, of(sheet, "hr").id, -4.0, "/min")
    with pytest.raises(InputError, match="101 % is not possible"):
        kit.bench.review.add(sheet, sheet.schema.row("spo2"), 101.0, "%")
    assert of(kit.sheet(sheet.dictation.id), "spo2") == of(sheet, "spo2")
    assert len(kit.sheet(sheet.dictation.id).values) == len(sheet.values)


def test_an_impossible_proposal_is_lit_with_the_reason_and_cannot_be_accepted(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 400.0}), ranged=False)
    sheet = kit.filled(tmp_path)
    value = of(sheet, "spo2")
    assert sheet.reasons[value.id][0] == "400 % is not possible: Oxygen saturation accepts 0–100 %"
    assert value.id not in kit.bench.review.confident(sheet)
    for told in (None, Caution("spo2", 400.0, Outside.PLAUSIBLE), Caution("spo2", 400.0, Outside.CRITICAL)):
        with pytest.raises(InputError, match="not possible"):
            kit.bench.review.decide(sheet, [value.id], "confirm", confirmed=told)
        with pytest.raises(InputError, match="not possible"):
            kit.bench.review.put_in_place(sheet, value.id, confirmed=told)
    kit.result(kit.bench.review.decide(sheet, [value.id], "reject"))
    assert of(kit.sheet(sheet.dictation.id), "spo2").status is ReviewStatus.REJECTED


def test_accepting_together_leaves_alarming_values_out(new_desk: Callable[..., WorkbenchKit], tmp_path: Path) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 59.0, "hr": 300.0, "bp": "88/46", "rr": 70.0}))
    sheet = kit.filled(tmp_path)
    together = {value.row_id for value in sheet.values if value.id in kit.bench.review.confident(sheet)}
    assert together.isdisjoint({"spo2", "hr", "rr"})
    assert "bp" in together  # merely abnormal
    kit.result(kit.bench.review.accept_rest(sheet, [value.id for value in sheet.values]))
    left = kit.sheet(sheet.dictation.id)
    assert {row: of(left, row).status for row in ("spo2", "hr", "rr", "bp")} == {
        "spo2": ReviewStatus.PROPOSED,
        "hr": ReviewStatus.PROPOSED,
        "rr": ReviewStatus.PROPOSED,
        "bp": ReviewStatus.CONFIRMED,
    }


def test_an_alarming_value_is_accepted_only_when_it_was_confirmed_again(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 59.0, "hr": 300.0}))
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    low, fast = of(sheet, "spo2"), of(sheet, "hr")
    for told in (None, Caution("spo2", 58.0, Outside.CRITICAL), Caution("hr", 59.0, Outside.CRITICAL)):
        with pytest.raises(OutOfRange, match="Oxygen saturation 59 % is critically low"):
            reviews.decide(sheet, [low.id], "confirm", confirmed=told)
    with pytest.raises(OutOfRange, match="outside the plausible range"):
        reviews.decide(sheet, [low.id, fast.id], "confirm", confirmed=LOW)  # both would need it
    after = kit.result(reviews.decide(sheet, [low.id], "confirm", confirmed=LOW))
    assert (of(after.values, "spo2").status, of(after.values, "spo2").confirmed_outside) == (
        ReviewStatus.CONFIRMED,
        Outside.CRITICAL,
    )
    assert of(after.values, "hr").confirmed_outside is None
    back = kit.result(reviews.undo(sheet))
    assert of(back.values, "spo2").confirmed_outside is None
    merely = kit.result(reviews.decide(sheet, [of(sheet, "temp").id], "confirm"))
    assert of(merely.values, "temp").confirmed_outside is None


def test_what_was_confirmed_is_kept_with_the_step_and_is_not_asked_for_again(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(FakeEngine())
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    spo2 = of(sheet, "spo2").id
    with pytest.raises(OutOfRange):
        reviews.edit(sheet, spo2, 59.0, "%")
    kit.result(reviews.edit(sheet, spo2, 59.0, "%", confirmed=LOW))
    sheet = kit.sheet(sheet.dictation.id)
    assert of(sheet, "spo2").confirmed_outside is Outside.CRITICAL
    kit.result(reviews.edit(sheet, spo2, 59.0, "%", "2026-11-21T06:30"))  # only its time
    sheet = kit.sheet(sheet.dictation.id)
    assert (of(sheet, "spo2").observed_at, of(sheet, "spo2").confirmed_outside) == (
        "2026-11-21T06:30",
        Outside.CRITICAL,
    )
    with pytest.raises(OutOfRange):
        reviews.edit(sheet, spo2, 60.0, "%")
    kit.result(reviews.edit(sheet, spo2, 95.0, "%"))
    sheet = kit.sheet(sheet.dictation.id)
    assert of(sheet, "spo2").confirmed_outside is None
    kit.result(reviews.decide(sheet, [spo2], "reject"))


def test_a_value_that_changed_after_it_was_confirmed_is_not_accepted(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 94.0}))
    sheet = kit.filled(tmp_path)
    value = of(sheet, "spo2")
    kit.bench.workspace.store.reviews.decide(
        value.id, "edit", "Kim", 60.0, "%"
    )  # meanwhile, past the sheet that is shown
    with pytest.raises(OutOfRange, match="60 %"):
        kit.result(kit.bench.review.decide(sheet, [value.id], "confirm"))
    assert of(kit.sheet(sheet.dictation.id), "spo2").reviewer == "Kim"


def test_what_was_accepted_before_and_is_impossible_is_not_filed(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 400.0}))
    sheet = kit.filled(tmp_path)
    kit.bench.workspace.store.reviews.decide_all(
        [value.id for value in sheet.values], "confirm", "Kim"
    )  # as the former version could
    sheet = kit.sheet(sheet.dictation.id)
    with pytest.raises(InputError, match=r"Not filed: 1 value is not possible \(Oxygen saturation\)"):
        refuse_unreviewed(sheet)
    kit.result(kit.bench.review.edit(sheet, of(sheet, "spo2").id, 94.0, "%"))
    refuse_unreviewed(kit.sheet(sheet.dictation.id))


def test_a_decision_that_leaves_the_value_as_it_is_keeps_what_was_confirmed(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        number = recorded(store, tmp_path).id
        added = store.reviews.add(number, "hr", 33.0, "/min", "Kim", outside=Outside.CRITICAL)
        assert store.reviews.decide(added.id, "reopen", "Lou").confirmed_outside is Outside.CRITICAL
        assert store.reviews.decide(added.id, "confirm", "Lou").reviewer == "Kim"
        assert store.reviews.decide(added.id, "edit", "Lou", 70.0, "/min").confirmed_outside is None
        assert store.reviews.undo(number, "Lou")[0].confirmed_outside is Outside.CRITICAL


def test_a_value_that_was_held_back_or_is_added_is_checked_as_any_other(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(MisreadingEngine({}, {"spo2": 59.0, "hr": -3.0}))
    reviews, sheet = kit.bench.review, kit.filled(tmp_path)
    low, never = (next(one for one in sheet.maybe if one.row_id == row) for row in ("spo2", "hr"))
    with pytest.raises(OutOfRange, match="critically low"):
        reviews.take(sheet, low)
    with pytest.raises(InputError, match="not possible"):
        reviews.take(sheet, never)
    after = kit.result(reviews.take(sheet, low, confirmed=LOW))
    assert of(after.values, "spo2").confirmed_outside is Outside.CRITICAL
    row = sheet.schema.row("hr")
    with pytest.raises(OutOfRange, match="critically high"):
        reviews.add(sheet, row, 140.0, "/min")
    kit.result(reviews.add(sheet, row, 140.0, "/min", confirmed=Caution("hr", 140.0, Outside.CRITICAL)))
    sheet = kit.sheet(sheet.dictation.id)
    added = of(sheet, "hr")
    assert added.confirmed_outside is Outside.CRITICAL
    kit.result(reviews.decide(sheet, [added.id], "reject"))
    with pytest.raises(OutOfRange):  # taking back the rejection of what was added charts it again
        reviews.decide(kit.sheet(sheet.dictation.id), [added.id], "reopen")


def test_a_pressure_the_wrong_way_round_needs_a_second_confirmation(
    new_desk: Callable[..., WorkbenchKit], tmp_path: Path
) -> None:
    kit = new_desk(FakeEngine(), ranged=False)
    sheet = kit.filled(tmp_path)
    with pytest.raises(OutOfRange, match="not above the diastolic"):
        kit.bench.review.edit(sheet, of(sheet, "bp").id, "70/120", "mm[Hg]")


def test_in_the_terminal_the_impossible_is_refused_and_the_alarming_asked_for_again(
    new_desk: Callable[..., WorkbenchKit],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kit = new_desk(MisreadingEngine({"spo2": 59.0, "rr": -2.0}))
    number = kit.filled(tmp_path).dictation.id
    kit.bench.close()

    def review(*answers: str) -> dict[str, ReviewedValue]:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
        main(["review", str(number), "--signed-by", "RN Adams"])
        with Store(paths.database_file()) as store:
            return {value.row_id: value for value in store.values.of(number)}

    with Store(paths.database_file()) as store:
        others = [value.id for value in store.values.of(number) if value.row_id not in ("spo2", "rr")]
        store.reviews.decide_all(others, "reject", "Kim")
    # rr comes first: it is impossible, then it is edited; spo2 is confirmed half, edited too high, and confirmed
    found = review("y", "e", "22", "y", "n", "e", "400", "y", "y")
    out = capsys.readouterr().out
    assert "-2 /min is not possible: Respiratory rate accepts 0–60 /min" in out
    assert "Oxygen saturation 59 % is critically low. Type y again to confirm it." in out
    assert "Not confirmed." in out
    assert "400 % is not possible" in out
    assert (found["rr"].value, found["rr"].status, found["rr"].confirmed_outside) == (22.0, "edited", None)
    assert (found["spo2"].value, found["spo2"].status, found["spo2"].confirmed_outside) == (
        59.0,
        "confirmed",
        "critical",
    )
