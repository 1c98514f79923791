"""What the stored dictations say that has no row, and what is kept of a decision."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.services.discovery.decisions_file import FILE, Decisions, read_decisions, save_decisions
from app.services.discovery.jobs import Found
from app.services.discovery.notes import notes_of_folder, notes_of_store
from app.system import paths
from extraction.discovery.decisions import Decided
from extraction.flowsheet.schema import ValueType
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError
from tests.kit.fake_app import FakeEngine
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.workbench import WorkbenchKit, add_patient

SAID = "Heart rate is 112. Pedal bike {} minutes with a lavender apron."


@pytest.fixture
def desk(new_desk: Callable[..., WorkbenchKit], tmp_path: Path) -> WorkbenchKit:
    kit = new_desk(FakeEngine())
    for number in range(3):
        patient = kit.result(add_patient(kit.bench, f"Patient {number}", str(number), ""))
        path = tmp_path / f"{number}.txt"
        path.write_text(SAID.format(10 + number), encoding="utf-8")
        kit.result(kit.bench.intake.import_file(path, patient))
    for job in kit.bench.workspace.filling.jobs:
        kit.result(job)
    return kit


def look(desk: WorkbenchKit) -> Found:
    found = desk.result(desk.bench.discovery.look())
    assert isinstance(found, Found)
    return found


def test_the_store_is_looked_through_with_what_was_read_of_it(desk: WorkbenchKit) -> None:
    first, *_ = notes_of_store(desk.bench.workspace.store)
    assert first.rows
    assert "hr" in first.rows
    assert any(one.row_id == "hr" and "112" in first.text[one.start : one.end] for one in first.covered)
    (one,) = look(desk).open
    assert one.dictations == 3
    assert "pedal bike" in one.name
    for job in desk.bench.workspace.filling.jobs:
        assert job.wait(PATIENCE_SECONDS)
    assert desk.engine.forgot, "the inference process forgets the words"


def test_a_row_an_alias_and_what_is_ignored_leave_the_list_until_undone(desk: WorkbenchKit) -> None:
    (one,) = look(desk).open
    service = desk.bench.discovery
    kept = desk.result(service.make_row(one.name, "Pedal bike", ValueType.NUMERIC, "min"))
    assert (kept.version, kept.decided[0].row.id, kept.decided[0].by) == (1, "found.pedal_bike", "R. Nurse")
    assert look(desk).open == ()
    assert desk.result(service.make_alias(one.name, "hr")).decided[0].alias_of == "hr"
    assert len(desk.result(service.ignore(one.name)).decided) == 1
    assert desk.result(service.undo()) == Decisions(4)
    assert len(look(desk).open) == 1
    with pytest.raises(InputError):
        desk.result(service.undo())


def test_the_template_with_proposals_is_a_new_file(desk: WorkbenchKit, tmp_path: Path) -> None:
    (one,) = look(desk).open
    target = tmp_path / "proposed.json"
    with pytest.raises(InputError):
        desk.result(desk.bench.discovery.save_schema(target))
    desk.result(desk.bench.discovery.make_row(one.name, "Pedal bike", ValueType.NUMERIC, "min"))
    with pytest.raises(InputError):
        desk.result(desk.bench.discovery.save_schema(Path(desk.bench.settings.current.schema)))
    desk.result(desk.bench.discovery.save_schema(target))
    assert load_schema(target).row("found.pedal_bike").unit == "min"


def test_no_sentence_of_a_dictation_is_kept(desk: WorkbenchKit, tmp_path: Path) -> None:
    (one,) = look(desk).open
    desk.result(desk.bench.discovery.make_row(one.name, "Pedal bike", ValueType.NUMERIC, "min"))
    desk.result(desk.bench.discovery.save_schema(tmp_path / "proposed.json"))
    for path in (paths.data_dir() / FILE, tmp_path / "proposed.json"):
        text = path.read_text(encoding="utf-8")
        assert not any(example.sentence in text for example in one.examples)
        assert "112" not in text


def test_the_file_is_read_back_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    assert read_decisions(tmp_path) == Decisions()
    decisions = Decisions(3, (Decided("a", by="R", at="2026-01-01T00:00:00Z"), Decided("b", alias_of="hr")))
    save_decisions(tmp_path, decisions)
    assert read_decisions(tmp_path) == decisions
    (tmp_path / FILE).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError):
        read_decisions(tmp_path)


def test_each_text_of_a_folder_is_a_dictation_of_a_patient_of_its_own(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").write_text("Lungs clear.", encoding="utf-8")
    assert [one.title for one in notes_of_folder(tmp_path)] == ["a", "b"]
    assert len({one.patient for one in notes_of_folder(tmp_path)}) == 2
    with pytest.raises(InputError):
        notes_of_folder(tmp_path / "missing")
