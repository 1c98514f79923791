"""What the latest reviews say: habits of reviewers, promises that were not kept, and where both are told."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adaptation.review_monitor import RecentReviews, analyse_recent_reviews
from app.adaptation.reviewed_cases import latest_reviewed
from app.chart.reviewer_tendencies import ReviewerTendency, tendencies_of
from app.chart.sheet import Sheet
from app.cli import main
from app.cli.charting.review import DRIFTED
from app.extraction_records import proposed
from app.lighting import Lighting
from app.record.run import RunRecord
from app.services.engine.job_lanes import Job, JobEvent, JobFailed
from app.services.workbench import Workbench
from app.store import Store
from app.store.transcripts import Transcripts
from app.system import paths
from app.system.settings import Settings, save_settings
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import parse_schema
from tests.kit.fake_app import (
    WEIGHED_BY,
    FakeEngine,
    bring_filled,
    bring_reviewed,
    calibrated_lighting,
    held_back_of,
    values_of,
    weighed,
    write_schema,
)
from tests.kit.patience import PATIENCE_SECONDS

NIGHT = Row("night", "Night light", ValueType.YES_NO, ("Safety",))
EDITS = {"device": "Simple mask"}
DARK = ("hr", "rr", "spo2")  # rows that no layer doubts


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    file = write_schema(tmp_path)
    return parse_schema(file.read_bytes(), str(file))


def lit(**changes: object) -> Lighting:
    return replace(calibrated_lighting(Settings(alpha=0.05), None, {}), **changes)  # type: ignore[arg-type]


# habits


@pytest.mark.parametrize(
    ("tendency", "said"),
    [
        (ReviewerTendency(accepted=1, rejected=3), "reviewers rejected 3 of the last 4 values of this row"),
        (ReviewerTendency(accepted=2, changed=2), "reviewers changed 2 of the last 4 values of this row"),
        (
            ReviewerTendency(accepted=2, rejected=2, changed=1),
            "reviewers rejected or changed 3 of the last 5 values of this row",
        ),
        (ReviewerTendency(accepted=1, changed=3, usual=False, put=3), "reviewers usually enter No here (3 of 4)"),
        (ReviewerTendency(rejected=2, changed=2, usual=False, put=2), "reviewers usually enter No here (2 of 4)"),
        (
            ReviewerTendency(accepted=2, rejected=2, changed=1, usual=False, put=1),
            "reviewers rejected or changed 3 of the last 5 values of this row",
        ),
        (ReviewerTendency(changed=4, usual=True, put=4), None),  # the proposed value itself
        (ReviewerTendency(rejected=3), None),
        (ReviewerTendency(accepted=3, rejected=2), None),
        (ReviewerTendency(accepted=20), None),
        (ReviewerTendency(), None),
    ],
)
def test_habits_in_plain_words(tendency: ReviewerTendency, said: str | None) -> None:
    found = tendency.reason(NIGHT, True)
    assert (found.text if found else None) == said


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_habit_speaks_from_four_values_on_and_when_half_were_refused(acc: int, rej: int, cha: int) -> None:
    spoken = ReviewerTendency(acc, rej, cha, None, 0).reason(NIGHT, True) is not None
    assert spoken is (acc + rej + cha >= 4 and rej + cha >= acc)


def test_only_proposals_count_and_only_choices_are_repeated(store: Store, schema: Schema, tmp_path: Path) -> None:
    dictation = bring_filled(store, tmp_path)
    taken = proposed(held_back_of())[0]
    store.runs.save(dictation.id, proposed(weighed(values_of())), RunRecord(weighed_by=WEIGHED_BY, held_back=(taken,)))
    edits: dict[str, Value] = {
        "device": "Simple mask",
        "breath": ("Clear",),
        "alarm": False,
        "painsite": "Max's left knee",
        "hr": 99.0,
    }
    for value in store.values.of(dictation.id):
        if value.row_id in edits:
            store.reviews.decide(value.id, "edit", "Kim", edits[value.row_id], value.unit, collect=True)
        else:
            store.reviews.decide(value.id, "reject" if value.row_id == "rr" else "confirm", "Kim", collect=True)
    store.reviews.take(dictation.id, taken, "Kim", collect=True)
    store.reviews.add(dictation.id, "visitors", True, None, "Kim", collect=True)
    (reviewed,) = latest_reviewed(store, schema, WEIGHED_BY, 50)
    tendencies = tendencies_of(schema, reviewed.proposals)
    assert len(reviewed.values) == len(reviewed.proposals) + 2
    assert tendencies["rr"] == ReviewerTendency(rejected=1)
    assert tendencies["bp"] == ReviewerTendency(accepted=1)
    assert tendencies["device"] == ReviewerTendency(changed=1, usual="Simple mask", put=1)
    assert tendencies["breath"] == ReviewerTendency(changed=1, usual=("Clear",), put=1)
    assert tendencies["alarm"] == ReviewerTendency(changed=1, usual=False, put=1)
    assert tendencies["painsite"] == tendencies["hr"] == ReviewerTendency(changed=1), (
        "what belongs to one patient is not told of another"
    )
    assert {"visitors", taken.row_id}.isdisjoint(tendencies)


# looking back


def test_the_latest_come_first_and_nothing_is_read_of_older_ones(
    store: Store, schema: Schema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = [bring_reviewed(store, tmp_path).id for _ in range(4)]
    bring_filled(store, tmp_path)  # nobody has decided about it
    bring_reviewed(store, tmp_path, collect=False)
    store.runs.save(bring_reviewed(store, tmp_path).id, [], RunRecord(weighed_by="d" * 64))
    looked_at: list[int] = []
    values_of_store = store.values.of
    monkeypatch.setattr(store.values, "of", lambda number: looked_at.append(number) or values_of_store(number))
    monkeypatch.delattr(Transcripts, "of")
    found = latest_reviewed(store, schema, WEIGHED_BY, 2)
    assert [one.values[0].dictation_id for one in found] == brought[:1:-1]
    assert min(looked_at) == brought[2]
    assert len(latest_reviewed(store, schema, WEIGHED_BY, 50)) == 4
    assert latest_reviewed(store, replace(schema, sha256="e" * 64), WEIGHED_BY, 50) == []


def test_unlit_wrong_values_are_drift(store: Store, schema: Schema, tmp_path: Path) -> None:
    assert analyse_recent_reviews(store, schema, lit()) == RecentReviews(WEIGHED_BY, drifted=False, tendencies={})
    bring_reviewed(store, tmp_path, rejects=("foley",), edits=EDITS)  # both were lit
    assert not analyse_recent_reviews(store, schema, lit()).drifted
    bring_reviewed(store, tmp_path, rejects=DARK)
    found = analyse_recent_reviews(store, schema, lit())
    assert found.drifted
    assert found.tendencies["hr"] == ReviewerTendency(accepted=1, rejected=1)
    assert not analyse_recent_reviews(store, schema, lit(calibration=None)).drifted, "nothing was promised"
    assert not analyse_recent_reviews(store, schema, lit(weighed_by="d" * 64)).drifted


def test_only_the_latest_count(store: Store, schema: Schema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.adaptation.review_monitor.RECENT", 2)
    for rejects in (DARK, (), ()):
        bring_reviewed(store, tmp_path, rejects=rejects)
    found = analyse_recent_reviews(store, schema, lit())
    assert not found.drifted
    assert found.tendencies["hr"] == ReviewerTendency(accepted=2)


# the workbench


class WorkbenchKit:
    """A workbench on a store with four reviewed dictations and one that waits, whose jobs are waited for."""

    def __init__(self, folder: Path, *, collect: bool) -> None:
        settings = Settings(schema=str(write_schema(folder)), reviewer="R. Nurse", collect_examples=collect, alpha=0.05)
        save_settings(settings, paths.config_file())
        with Store(paths.database_file()) as store:
            for rejects in (DARK, (), (), ()):
                bring_reviewed(store, folder, edits=EDITS, rejects=rejects)
            self.waiting = bring_filled(store, folder).id
        self._events: list[JobEvent] = []
        self.bench = Workbench(self._events.append, engine=FakeEngine(), grace_seconds=0.2)
        self.do(self.bench.open())

    def do(self, job: Job) -> None:
        assert job.wait(PATIENCE_SECONDS)
        for event in self._events:
            if isinstance(event, JobFailed):
                raise event.error

    def reasons(self, row_id: str) -> tuple[str, ...]:
        sheet = self.sheet()
        return next(sheet.reasons.get(value.id, ()) for value in sheet.values if value.row_id == row_id)

    def sheet(self) -> Sheet:
        return self.bench.sheets.read(self.waiting)


@pytest.fixture
def calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.lighting.lighting", calibrated_lighting)


@pytest.fixture
def kit(tmp_path: Path, calibrated: None) -> Iterator[WorkbenchKit]:
    kit = WorkbenchKit(tmp_path, collect=True)
    yield kit
    kit.bench.close()
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("wardlight-")]


USUALLY = "reviewers usually enter Simple mask here (4 of 4)"


def test_review_findings_are_available_after_the_analysis(kit: WorkbenchKit) -> None:
    assert not kit.bench.sheets.drifted(kit.sheet())
    assert USUALLY not in kit.reasons("device")
    lights = kit.sheet().lights
    kit.do(kit.bench.sheets.analyse_recent_reviews())
    assert kit.bench.sheets.drifted(kit.sheet())
    assert kit.reasons("device")[-1] == USUALLY
    assert kit.sheet().lights.keys() == lights.keys()


def test_it_is_said_of_values_that_were_weighed_the_same_way_alone(kit: WorkbenchKit) -> None:
    kit.do(kit.bench.sheets.analyse_recent_reviews())
    kit.bench.workspace.store.runs.save(kit.waiting, proposed(values_of()), RunRecord(weighed_by="d" * 64))
    assert not kit.bench.sheets.drifted(kit.sheet())
    assert USUALLY not in kit.reasons("device")


def test_other_settings_forget_it_until_it_is_looked_up_again(kit: WorkbenchKit) -> None:
    kit.do(kit.bench.sheets.analyse_recent_reviews())
    kit.do(kit.bench.settings.apply(replace(kit.bench.settings.current, alpha=0.04)))
    assert not kit.bench.sheets.drifted(kit.sheet())
    kit.do(kit.bench.sheets.analyse_recent_reviews())
    assert kit.bench.sheets.drifted(kit.sheet())
    kit.do(kit.bench.settings.apply(replace(kit.bench.settings.current, collect_examples=False)))
    kit.do(kit.bench.sheets.analyse_recent_reviews())
    assert not kit.bench.sheets.drifted(kit.sheet())
    assert USUALLY not in kit.reasons("device")


# the terminal


@pytest.mark.parametrize("collect", [True, False])
def test_review_in_the_terminal_says_it_where_reviews_are_collected(
    tmp_path: Path,
    calibrated: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    collect: bool,
) -> None:
    WorkbenchKit(tmp_path, collect=collect).bench.close()
    monkeypatch.setattr("sys.stdin", io.StringIO("s\ns\ns\nq\n"))
    assert main(["review"]) == 0
    out, err = capsys.readouterr()
    assert out.count("look: ") >= 3
    assert (DRIFTED in err) is collect
    assert (f"look: {USUALLY}" in out) is collect
