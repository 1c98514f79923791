"""Exports are read, answers kept, and the schema made of them put to use, without a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.contracts import load_contract
from app.services.contracts.answers import keep_answers, kept_answers
from app.services.contracts.jobs import ReadExport
from app.services.contracts.printed_report import report_bytes
from app.services.contracts.report import checks_report
from app.system import paths
from extraction.contract.errors import ContractError, SourceError
from extraction.contract.records import Decision
from models.base.errors import InputError
from tests.kit.fake_app import FakeEngine
from tests.kit.ward_exports import ROWS, write_exports, write_rows
from tests.kit.workbench import WorkbenchKit


@pytest.fixture
def desk(new_desk: Callable[..., WorkbenchKit]) -> WorkbenchKit:
    return new_desk(FakeEngine())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_exports(tmp_path / "exports")


def read(desk: WorkbenchKit, folder: Path, former: Path | None = None, **answers: str) -> ReadExport:
    found = desk.result(desk.bench.contracts.read(folder, former, {f"type:{row}": one for row, one in answers.items()}))
    assert isinstance(found, ReadExport)
    return found


def used(desk: WorkbenchKit, folder: Path, name: str = "Ward 7") -> Path:
    """Reads a folder, and uses what was read."""
    schema = desk.result(desk.bench.contracts.use(read(desk, folder), name))
    desk.result(desk.bench.settings.apply(replace(desk.bench.settings.current, schema=str(schema))))
    assert isinstance(schema, Path)
    return schema


def test_reading_changes_nothing_that_is_in_use(desk: WorkbenchKit, folder: Path) -> None:
    before = desk.bench.settings.current
    found = read(desk, folder)
    assert found.usable
    assert found.schema
    assert len(found.schema.rows) == len(ROWS)
    assert [one.id for one in found.questions] == ["type:belongings", "type:visitors"]
    assert desk.bench.settings.current == before
    assert desk.bench.contracts.in_use is None
    assert not paths.contracts_dir().exists()


def test_an_answer_is_kept_with_who_gave_it_and_not_asked_again(desk: WorkbenchKit, folder: Path) -> None:
    desk.result(desk.bench.contracts.keep(folder, {"type:belongings": "numeric"}))
    found = read(desk, folder, visitors="yes_no")
    assert found.questions == ()
    assert {(one.question, one.answer, one.by) for one in kept_answers(folder)} == {
        ("type:belongings", "numeric", "R. Nurse"),
        ("type:visitors", "yes_no", "R. Nurse"),
    }


def test_an_answer_with_which_nothing_can_be_read_is_not_kept(desk: WorkbenchKit, folder: Path) -> None:
    for name in ("charted_values.csv", "custom_lists.xlsx"):
        (folder / name).unlink()
    answers = {f"role:flowsheet_rows.csv:{column}": "other" for column in ("ROW_ID", "ROW_NAME")}
    with pytest.raises(SourceError):
        desk.result(desk.bench.contracts.read(folder, None, answers))
    assert kept_answers(folder) == ()


def test_no_more_than_twenty_questions_are_asked_however_many_there_are(desk: WorkbenchKit, folder: Path) -> None:
    unknown = [(f"u{place}", f"Item {place} of the list", "", "", "", "", "") for place in range(25)]
    write_rows(folder, [*ROWS, *unknown])
    asked = read(desk, folder).questions
    assert len(asked) == 20
    desk.result(desk.bench.contracts.keep(folder, {one.id: one.default for one in asked[:15]}))
    assert len(read(desk, folder).questions) == 5
    desk.result(desk.bench.contracts.keep(folder, {one.id: one.default for one in asked}))
    assert read(desk, folder).questions == ()


def test_damaged_answers_are_asked_again(folder: Path) -> None:
    keep_answers(folder, [Decision("type:skin", "text", "R. Nurse", "2026-03-02T10:00:00Z")])
    file = next(paths.contracts_dir().glob("answers-*.json"))
    file.write_text('{"answers": [{"wrong": 1}]}', encoding="utf-8")
    assert kept_answers(folder) == ()


def test_what_is_used_is_the_schema_and_its_contract(desk: WorkbenchKit, folder: Path) -> None:
    schema = used(desk, folder)
    contract = load_contract(schema.with_name("contract.json")).contract
    assert desk.bench.contracts.in_use == schema.with_name("contract.json")
    assert desk.bench.workspace.schema.name == "Ward 7"
    assert {row.id for row in desk.bench.workspace.schema.rows} == {row.id for row in contract.rows}
    assert kept_answers(folder) == ()
    catalogue = desk.result(desk.bench.contracts.catalogue(schema.with_name("contract.json")))
    assert catalogue.contract == contract


def test_a_first_import_of_the_same_files_updates_what_they_became(desk: WorkbenchKit, folder: Path) -> None:
    used(desk, folder)
    write_rows(folder, ROWS[:-1])
    found = read(desk, folder)
    assert (found.former, found.contract.version) == (1, 2)
    assert [(change.kind, change.row) for change in found.changes] == [("retired", "belongings")]


def test_an_update_is_in_force_at_once(desk: WorkbenchKit, folder: Path) -> None:
    schema = used(desk, folder)
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    assert used(desk, folder) == schema
    assert desk.bench.workspace.schema.row("gait").name == "Gait"
    assert desk.bench.workspace.schema.version == "2"


def test_a_conflict_stands_until_a_person_takes_the_new_unit_and_can_be_decided_back(
    desk: WorkbenchKit, folder: Path
) -> None:
    former = used(desk, folder).with_name("contract.json")
    fahrenheit = ("temp", "Temperature", "Numeric", "", "degF", "86", "110")
    write_rows(folder, [fahrenheit if row[0] == "temp" else row for row in ROWS])

    def unit(answers: dict[str, str]) -> tuple[str, str]:
        found = desk.result(desk.bench.contracts.read(folder, former, answers))
        row = next(one for one in found.contract.rows if one.id == "temp")
        return found.changes[0].kind, row.unit

    assert unit({}) == ("conflict", "Cel")
    question = "conflict:temp:unit:Cel:degF"
    assert unit({question: "new"}) == ("changed", "degF")
    assert unit({question: "old"}) == ("conflict", "Cel")


def test_a_conflict_that_was_kept_is_shown_again_and_can_be_changed_later(desk: WorkbenchKit, folder: Path) -> None:
    former = used(desk, folder).with_name("contract.json")
    fahrenheit = [
        ("temp", "Temperature", "Numeric", "", "degF", "86", "110") if row[0] == "temp" else row for row in ROWS
    ]
    write_rows(folder, fahrenheit)
    used(desk, folder)
    again = read(desk, folder, former)
    assert again.contract.version == again.former == 2, "nothing is new"
    assert [(change.kind, change.question) for change in again.changes] == [("conflict", "conflict:temp:unit:Cel:degF")]
    assert "its unit is degF in an export; Cel stands until somebody decides" in checks_report(again, "Ward 7")
    desk.result(desk.bench.contracts.keep(folder, {"conflict:temp:unit:Cel:degF": "new"}))
    assert used(desk, folder).with_name("contract.json") == former
    assert (load_contract(former).contract.version, desk.bench.workspace.schema.row("temp").unit) == (3, "degF")
    assert {file.name for file in former.with_name("contract.versions").iterdir()} == {"1.json", "2.json"}


def test_a_contract_that_somebody_else_extended_is_not_replaced(desk: WorkbenchKit, folder: Path) -> None:
    former = used(desk, folder).with_name("contract.json")
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    found = read(desk, folder)
    used(desk, folder)
    late = replace(found, contract=replace(found.contract, created_at="2026-01-01T00:00:00Z"))
    schema = former.with_name("schema.json").read_bytes()
    with pytest.raises(ContractError, match="has changed since it was read"):
        desk.result(desk.bench.contracts.use(late, "Ward 8"))
    assert former.with_name("schema.json").read_bytes() == schema


def test_a_snapshot_changes_nothing_until_a_person_promotes_it(desk: WorkbenchKit, folder: Path) -> None:
    former = used(desk, folder).with_name("contract.json")
    with pytest.raises(InputError, match="add nothing"):
        desk.result(desk.bench.contracts.keep_snapshot(read(desk, folder)))
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    before = former.read_bytes()
    kept = desk.result(desk.bench.contracts.keep_snapshot(read(desk, folder)))
    assert desk.bench.contracts.snapshots() == [kept]
    assert (former.read_bytes(), desk.bench.workspace.schema.version) == (before, "1")
    shown = read(desk, kept)
    assert (shown.former, shown.snapshot, shown.usable) == (1, kept, True)
    assert [(one.kind, one.question) for one in shown.changes if one.kind == "new row"] == [("new row", "")]
    desk.result(desk.bench.contracts.use(shown, "Ward 7"))
    assert desk.bench.contracts.snapshots() == []
    assert desk.bench.workspace.schema.row("gait").name == "Gait"
    contract = load_contract(former).contract
    assert contract.version == 2
    assert contract.log[-1].startswith("2: promoted: by R. Nurse, ")


def test_a_snapshot_is_thrown_away(desk: WorkbenchKit, folder: Path) -> None:
    used(desk, folder)
    write_rows(folder, [*ROWS, ("gait", "Gait", "String", "", "", "", "")])
    kept = desk.result(desk.bench.contracts.keep_snapshot(read(desk, folder)))
    desk.result(desk.bench.contracts.throw_away(kept))
    assert desk.bench.contracts.snapshots() == []


def test_answers_go_from_one_folder_to_another_by_a_file(desk: WorkbenchKit, folder: Path, tmp_path: Path) -> None:
    desk.result(desk.bench.contracts.keep(folder, {"type:visitors": "yes_no"}))
    file, other = tmp_path / "answers.json", write_exports(tmp_path / "other")
    desk.result(desk.bench.contracts.save_answers(read(desk, folder), file))
    desk.result(desk.bench.contracts.take_answers(other, file))
    found = read(desk, other).contract
    assert next(row for row in found.rows if row.id == "visitors").value_type == "yes_no"
    with pytest.raises(InputError, match="holds no answers"):
        desk.result(desk.bench.contracts.take_answers(other, other / "flowsheet_rows.csv"))


def test_the_export_of_another_system_updates_nothing(desk: WorkbenchKit, folder: Path, tmp_path: Path) -> None:
    former = used(desk, folder).with_name("contract.json")
    other = write_exports(tmp_path / "other", [(f"x{place}", *row[1:]) for place, row in enumerate(ROWS)])
    with pytest.raises(ContractError, match="another record system"):
        read(desk, other, former)


def test_a_failed_check_forbids_the_use(desk: WorkbenchKit, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extraction.contract.gates._leaks", lambda _: ["rows.csv NAME"])
    found = read(desk, folder)
    with pytest.raises(InputError, match=r"people: rows\.csv NAME keeps what identifies people"):
        desk.result(desk.bench.contracts.use(found, "Ward 7"))
    assert not (paths.contracts_dir() / found.contract.id).exists()
    assert "may NOT be used" in checks_report(found, "Ward 7")


def test_a_schema_that_is_refused_forbids_the_use(
    desk: WorkbenchKit, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise InputError("Row hr has two names.", "Correct the file.")

    monkeypatch.setattr("app.services.contracts.reading.schema_of", refuse)
    found = read(desk, folder)
    assert not found.usable
    assert "Row hr has two names" in checks_report(found, "Ward 7")


def test_a_dictation_that_is_tried_leaves_nothing_behind(desk: WorkbenchKit, folder: Path) -> None:
    found = read(desk, folder)
    assert found.schema
    tried = desk.result(desk.bench.contracts.try_dictation(found.schema, "Heart rate is 112."))
    assert [(value.row_id, value.value) for value in tried.values] == [("hr", 112.0)]
    desk.result(desk.bench.contracts.try_dictation(found.schema, "Nothing"))
    assert desk.engine.forgot >= 1
    assert desk.bench.workspace.store.patients.all() == []


def test_the_report_names_checks_sources_and_what_is_left_out(desk: WorkbenchKit, folder: Path) -> None:
    text = checks_report(read(desk, folder, belongings="text"), "Ward 7")
    assert "passed          duplicate ids = 0: no id stands for two rows" in text
    assert "charted_values.csv, PAT_NAME: names patients" in text
    assert "type:belongings = text (R. Nurse, " in text
    assert "Marsh" not in text
    figures = [line.split() for line in text.splitlines() if line.startswith(("LinkVal", "ProvCom", "SchTime"))]
    assert [line[:2] for line in figures[:2]] == [["LinkVal", "100.0%"], ["ProvCom", "100.0%"]]
    assert figures[2][2] == "s"


def test_the_report_is_a_page_with_checks_and_figures(desk: WorkbenchKit, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    found = read(desk, folder, belongings="text")
    desk.result(desk.bench.contracts.save_report(found, "Ward 7", file))
    text = "\n".join(page.extract_text() for page in PdfReader(file).pages)
    for words in ("Import from the record system: Ward 7", "may be used", "XSrcUtil", "SchUtil", "RelUse", "LinkVal",
                  "ProvCom", "SchTime", "duplicate ids", "names patients", "Reviewed by"):  # fmt: skip
        assert words in text
    assert "Marsh" not in text
    assert file.read_bytes() == report_bytes(found, "Ward 7", ".pdf")


def test_a_contract_with_an_unusual_id_stays_in_its_folder() -> None:
    from app.services.contracts.reading import contract_folder

    assert contract_folder("row-id-1a2b").name == "row-id-1a2b"
    assert contract_folder("../other").parent == paths.contracts_dir()
    assert contract_folder("../other") != contract_folder("other")
