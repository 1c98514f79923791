"""`wardlight contract`: from a folder of exports to a schema, and its later versions."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from app.cli import main
from app.contracts import load_contract
from app.services.contracts.answers import keep_answers, kept_answers
from extraction.contract.records import Decision
from models.base.errors import InputError
from tests.kit.exports import DICTIONARY, OPTIONS, write_exports

AT = "2026-01-01T00:00:00Z"


def answer(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> object:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_build_show_and_compile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, contract = write_exports(tmp_path / "exports"), tmp_path / "contract.json"
    built = answer(capsys, "contract", "build", folder, "--yes", "--out", contract)
    assert isinstance(built, dict)
    assert (built["usable"], built["rows"]) == (True, 11)
    document = json.loads(contract.read_bytes())
    assert {
        "id",
        "name",
        "aliases",
        "value_type",
        "options",
        "unit",
        "minimum",
        "maximum",
        "unit_of",
        "retired",
    } <= set(document["rows"][0])
    shown = answer(capsys, "contract", "show", contract, "70003")
    assert isinstance(shown, dict)
    assert shown["exported_as"]["options"]["Pale"] == "W"
    assert ["dictionary.csv", 4, "LABEL"] in shown["cells"]
    schema, codes, words = tmp_path / "schema.json", tmp_path / "map.json", tmp_path / "vocabulary.json"
    answer(capsys, "contract", "compile", contract, "--out", schema, "--export-map", codes, "--vocabulary", words)
    asked = {row["id"]: row for row in json.loads(words.read_bytes())["rows"]}
    assert asked["70001"]["charted"]["stays"] == 1.0
    assert (asked["70012"]["retired"], asked["70012"]["questions"]) == (True, ["latest", "any", "count", "trend"])
    assert {option["name"]: option["share"] is not None for option in asked["70003"]["options"]} == dict.fromkeys(
        ("Pink", "Pale", "Bluish"), True
    )
    assert json.loads(codes.read_bytes())["rows"]["70003"]["options"]["Bluish"] == "B"
    assert main(["schema", "check", str(schema)]) == 0
    assert isinstance(checked := answer(capsys, "contract", "check", contract), dict)
    assert checked["usable"]
    assert main(["contract", "show", str(contract), "70003"]) == 0
    text = capsys.readouterr().out
    assert "dictionary.csv" in text
    assert "Pale -> W" in text
    assert "in 100% of stays" in text


def test_a_later_export_extends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    before = contract.read_bytes()
    same = answer(capsys, "contract", "extend", contract, tmp_path / "first", code=1)
    assert same == {"version": 1, "changes": []}
    assert contract.read_bytes() == before
    lines = [
        *DICTIONARY[:6],
        ("70006", "DRAIN", "Drainage volume", "Free text", "", "", "", "", "active", "N030"),
        *DICTIONARY[7:],
    ]
    lines += [("70020", "MOUTH", "State of the mouth", "Free text", "", "", "", "", "active", "N030")]
    later = write_exports(tmp_path / "later", dictionary=lines, options=[*OPTIONS, ("L10", "5", "G", "Grey", "Y")])
    changes = answer(capsys, "contract", "diff", contract, later)
    assert isinstance(changes, list)
    assert {(change["kind"], change["row"]) for change in changes} == {
        ("conflict", "70006"), ("new option", "70003"), ("new row", "70020"),
    }  # fmt: skip
    assert contract.read_bytes() == before
    answer(capsys, "contract", "extend", contract, later)
    document = json.loads(contract.read_bytes())
    assert (document["version"], len(document["parent"])) == (2, 64)
    rows = {row["id"]: row for row in document["rows"]}
    assert rows["70006"]["value_type"] == "numeric"
    assert [option["name"] for option in rows["70003"]["options"]] == ["Pink", "Pale", "Bluish", "Grey"]


def test_building_does_not_replace_a_later_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract, folder = tmp_path / "contract.json", write_exports(tmp_path / "first")
    answer(capsys, "contract", "build", folder, "--yes", "--out", contract)
    later = write_exports(tmp_path / "later", options=[*OPTIONS, ("L10", "5", "G", "Grey", "Y")])
    answer(capsys, "contract", "extend", contract, later)
    before = contract.read_bytes()
    refused = answer(capsys, "contract", "build", folder, "--yes", "--out", contract, code=2)
    assert isinstance(refused, dict)
    assert "version 2" in refused["what"]
    assert contract.read_bytes() == before


def test_another_record_system_on_top_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    before = contract.read_bytes()
    lines = [DICTIONARY[0], *(("9" + line[0], *line[1:]) for line in DICTIONARY[1:])]
    other = write_exports(tmp_path / "other", dictionary=lines, values=(), groups=(), mapping=())
    refused = answer(capsys, "contract", "extend", contract, other, code=2)
    assert isinstance(refused, dict)
    assert "another record system" in refused["what"]
    assert contract.read_bytes() == before


@pytest.mark.parametrize("content", ["", "Notes of a meeting.\n", "A\n1\n2\n3\n"])
def test_a_folder_without_rows_is_refused(tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "exports").mkdir()
    (tmp_path / "exports" / "notes.csv").write_text(content)
    refused = answer(capsys, "contract", "build", tmp_path / "exports", "--yes", "--out", tmp_path / "c.json", code=2)
    assert isinstance(refused, dict)
    assert not (tmp_path / "c.json").exists()


class Terminal(io.StringIO):
    """What a person types, until they press Ctrl-C where it says so."""

    def isatty(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1 if size is None else size)
        if line == "^C\n":
            raise KeyboardInterrupt
        return line


def test_questions_are_answered_at_the_terminal_and_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, contract = write_exports(tmp_path / "exports", values=()), tmp_path / "contract.json"
    monkeypatch.setattr("sys.stdin", Terminal("9\n2\n" + "\n" * 40))  # a number that is no choice, then one that is
    assert main(["contract", "build", str(folder), "--out", str(contract)]) == 0
    asked = capsys.readouterr().err
    assert "1 of " in asked
    decisions = json.loads(contract.read_bytes())["decisions"]
    assert decisions
    assert kept_answers(folder) == (), "the contract has them now"
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert main(["contract", "build", str(folder), "--out", str(contract)]) == 0
    assert "1 of " not in capsys.readouterr().err
    assert json.loads(contract.read_bytes())["decisions"] == decisions


def test_a_build_that_was_stopped_goes_on_with_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, contract = write_exports(tmp_path / "exports", values=()), tmp_path / "contract.json"
    arguments = ["contract", "build", str(folder), "--out", str(contract)]
    monkeypatch.setattr("sys.stdin", Terminal("2\n^C\n"))
    assert main(arguments) == 130
    asked = capsys.readouterr().err
    assert not contract.exists()
    (kept,) = kept_answers(folder)  # as the window would find it
    monkeypatch.setattr("sys.stdin", Terminal("\n"))  # and the input ends
    assert main(arguments) == 0
    again = capsys.readouterr().err
    first = next(line for line in asked.splitlines() if line.startswith("1 of "))
    assert first.partition("  ")[2] not in again
    decided = json.loads(contract.read_bytes())["decisions"]
    assert len(decided) == 2, "the end of input answers nothing"
    assert decided[0]["question"] == kept.question


def test_answers_are_taken_along_to_another_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, contract = write_exports(tmp_path / "first", values=()), tmp_path / "contract.json"
    given = [Decision("type:70010", "numeric", "Anna Novak", AT), Decision("type:9", "text", "Anna Novak", AT)]
    keep_answers(first, given)
    answer(capsys, "contract", "build", first, "--yes", "--out", contract)
    taken = tmp_path / "answers.json"
    assert answer(capsys, "contract", "answers", contract, "--out", taken) == {"answers": str(taken), "count": 2}
    other, again = write_exports(tmp_path / "moved", values=()), tmp_path / "again.json"
    assert main(["contract", "build", str(other), "--yes", "--answers", str(taken), "--out", str(again)]) == 0
    assert "1 answers are about rows or columns that are not in these exports: type:9." in capsys.readouterr().err
    rows = {row["id"]: row for row in json.loads(again.read_bytes())["rows"]}
    assert rows["70010"]["value_type"] == "numeric"
    taken.write_text('{"format": "wardlight-answers/1", "answers": [{"question": "type:9"}]}')
    refused = answer(capsys, "contract", "build", other, "--answers", taken, "--out", again, code=2)
    assert isinstance(refused, dict)
    assert "answer 1 lacks question, answer, by or at" in refused["what"]


def with_unit(folder: Path, unit: str) -> Path:
    lines = [(*line[:5], unit, *line[6:]) if line[0] == "70006" else line for line in DICTIONARY]
    return write_exports(folder, dictionary=lines)


def test_a_conflict_stays_listed_and_is_decided_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    answer(capsys, "contract", "show", contract, "--conflicts", code=1)
    answer(capsys, "contract", "extend", contract, with_unit(tmp_path / "later", "L"), "--yes")
    (listed,) = answer(capsys, "contract", "show", contract, "--conflicts")  # type: ignore[misc]
    assert listed["question"] == "conflict:70006:unit:mL:L"
    for choice, unit, code in (("old", "mL", 0), ("old", "mL", 1), ("new", "L", 0)):
        answer(capsys, "contract", "decide", contract, listed["question"], choice, code=code)
        rows = {row["id"]: row for row in json.loads(contract.read_bytes())["rows"]}
        assert rows["70006"]["unit"] == unit
    answer(capsys, "contract", "show", contract, "--conflicts", code=1)
    assert json.loads(contract.read_bytes())["version"] == 4


def test_a_conflict_is_asked_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contract = tmp_path / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    monkeypatch.setattr("sys.stdin", Terminal("2\n" + "\n" * 9))
    assert main(["contract", "extend", str(contract), str(with_unit(tmp_path / "later", "L"))]) == 0
    assert "its unit is L instead of mL" in capsys.readouterr().out
    assert load_contract(contract).contract.conflicts == ()


def test_a_former_version_that_was_changed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract, moved = tmp_path / "contract.json", tmp_path / "other" / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    first = contract.read_bytes()
    answer(capsys, "contract", "extend", contract, with_unit(tmp_path / "later", "L"), "--yes")
    answer(capsys, "contract", "extend", contract, with_unit(tmp_path / "last", "dL"), "--yes", "--out", moved)
    assert json.loads(contract.read_bytes())["version"] == 2
    assert [(moved.parent / "contract.versions" / f"{one}.json").read_bytes() for one in (1, 2)] == [
        first,
        contract.read_bytes(),
    ]
    answer(capsys, "contract", "check", moved)
    (moved.parent / "contract.versions" / "1.json").write_bytes(first.replace(b"bpm", b"bpx"))
    refused = answer(capsys, "contract", "check", moved, code=2)
    assert isinstance(refused, dict)
    assert "Version 1 of the contract contract.json is not the one that version 2 was made of" in refused["what"]


def test_a_contract_is_extended_for_one_look_and_a_snapshot_promoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contract, snapshot, temporary = tmp_path / "contract.json", tmp_path / "kept" / "next.json", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    before = contract.read_bytes()
    same = answer(capsys, "contract", "try", contract, tmp_path / "first", "--snapshot", snapshot, code=1)
    assert isinstance(same, dict)
    assert not snapshot.exists(), "nothing is written that adds nothing"
    later = write_exports(tmp_path / "later", options=[*OPTIONS, ("L10", "5", "G", "Grey", "Y")])
    shown = answer(capsys, "contract", "try", contract, later, "70003", "--snapshot", snapshot)
    assert isinstance(shown, dict)
    assert shown["exported_as"]["options"]["Grey"] == "G"

    def die(*_: object) -> None:
        raise InputError("The use fails.", "")

    monkeypatch.setattr("app.cli.contract.parse_schema", die)
    answer(capsys, "contract", "try", contract, later, code=2)
    monkeypatch.undo()
    assert list(temporary.iterdir()) == [], "reverted whatever happens"
    assert contract.read_bytes() == before
    promoted = answer(capsys, "contract", "promote", contract, snapshot)
    assert promoted == {"contract": str(contract), "version": 2}
    assert "2: promoted: by " in load_contract(contract).contract.log[-1]
    refused = answer(capsys, "contract", "promote", contract, snapshot, code=2)
    assert isinstance(refused, dict)
    assert "was not made of" in refused["what"]


def test_the_checks_are_written_as_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    page = tmp_path / "built.txt"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract, "--report", page)
    assert "SchTime" in page.read_text(encoding="utf-8")
    answer(capsys, "contract", "check", contract, "--report", tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    answer(capsys, "contract", "check", contract, "--report", tmp_path / "report.txt")
    assert "LinkVal" in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_codes_are_listed_and_used_once_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    answer(capsys, "contract", "build", write_exports(tmp_path / "first"), "--yes", "--out", contract)
    before = contract.read_bytes()
    listed = answer(capsys, "contract", "codes", contract)
    assert isinstance(listed, dict)
    rows = {one["row"]: one for one in listed["rows"]}
    assert rows["70001"]["loinc"] == ""
    assert rows["70001"]["proposed"][0] == {"loinc": "8867-4", "name": "Heart rate", "score": 1.0, "exact": True}
    assert (contract.read_bytes(), listed["decided"]) == (before, {})
    shown = answer(capsys, "contract", "show", contract, "70001")
    assert isinstance(shown, dict)
    assert (shown["loinc"], shown["proposed_codes"][0]["loinc"]) == ("", "8867-4")

    accepted = answer(capsys, "contract", "codes", contract, "--accept-exact", "--set", "70002=none")
    assert isinstance(accepted, dict)
    assert (accepted["version"], accepted["decided"]) == (2, {"70001": "8867-4", "70002": "none"})
    document = json.loads(contract.read_bytes())
    assert {row["id"]: row["loinc"] for row in document["rows"] if row["loinc"]} == {"70001": "8867-4"}
    assert [one["question"] for one in document["decisions"]] == ["loinc:70001", "loinc:70002"]
    assert main(["contract", "codes", str(contract), "--set", "70001=8867-5"]) == 2
    assert "check digit" in capsys.readouterr().err
    # a later export keeps them
    write_exports(tmp_path / "later", dictionary=(*DICTIONARY, ("70020", "X", "Another", "Number", *[""] * 6)))
    answer(capsys, "contract", "extend", contract, tmp_path / "later")
    document = json.loads(contract.read_bytes())
    assert {row["id"]: row["loinc"] for row in document["rows"] if row["loinc"]} == {"70001": "8867-4"}


def test_rows_that_belong_together_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contract = tmp_path / "contract.json"
    monitored = ("70021", "HRM", "Heart rate (monitor)", "Number", "", "bpm", "", "", "active", "N017")
    exports = write_exports(tmp_path / "first", dictionary=(*DICTIONARY, monitored))
    answer(capsys, "contract", "build", exports, "--yes", "--out", contract)
    shown = answer(capsys, "contract", "show", contract, "70021")
    assert isinstance(shown, dict)
    assert [(one["kind"], one["rows"], one["decided_by"]) for one in shown["relations"]] == [
        ("alike", ["70001", "70021"], "rule")
    ]
    assert main(["contract", "show", str(contract), "70001"]) == 0
    assert "charts the same in another way: heart rate" in capsys.readouterr().out


def test_alike_rows_are_listed_confirmed_and_kept_by_a_later_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, contract = tmp_path / "exports", tmp_path / "contract.json"
    folder.mkdir()
    rows = ["ROW_ID,ROW_NAME,VALUE_TYPE,UNITS", "1,Pulse,Numeric,/min", "2,Heart rate,Numeric,/min"]
    rows += [f"{number},Note {number},String," for number in range(3, 12)]
    (folder / "rows.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    answer(capsys, "contract", "build", folder, "--yes", "--out", contract)
    listed = answer(capsys, "contract", "alike", contract)
    assert isinstance(listed, dict)
    assert [(one["rows"], one["state"]) for one in listed["alike"]] == [(["1", "2"], "not decided, 80% sure")]
    confirmed = answer(capsys, "contract", "alike", contract, "--confirm", "1,2")
    assert isinstance(confirmed, dict)
    assert (confirmed["version"], confirmed["alike"][0]["state"]) == (2, "confirmed")
    (folder / "rows.csv").write_text("\n".join([*rows, "20,HR,Numeric,/min"]) + "\n", encoding="utf-8")
    answer(capsys, "contract", "extend", contract, folder, "--yes")
    words = tmp_path / "vocabulary.json"
    answer(capsys, "contract", "compile", contract, "--out", tmp_path / "schema.json", "--vocabulary", words)
    told = {one["id"]: one["alike"] for one in json.loads(words.read_bytes())["rows"]}
    assert (told["1"], told["2"], told["20"]) == (["2"], ["1"], [])
    answer(capsys, "contract", "alike", contract, "--refuse", "1,2")
    listed = answer(capsys, "contract", "alike", contract)
    assert isinstance(listed, dict)
    assert {tuple(one["rows"]): one["state"] for one in listed["alike"]}["1", "2"] == "refused"
    assert main(["contract", "alike", str(contract), "--confirm", "1,3"]) == 2
