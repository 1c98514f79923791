"""What a dictation lacks, handovers and notes on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.store import Store
from app.system import paths
from app.system.settings import Settings, save_settings
from tests.kit.charted import ADA, DAY, LINDQVIST, Days
from tests.kit.fake_app import write_schema

TO_DO = "Recheck potassium at 22:00"


@pytest.fixture
def number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> int:
    """The last of five rounds of Ada, without a pain score; Lindqvist was seen once, a third patient never."""
    save_settings(Settings(reviewer="R. Nurse", schema=str(write_schema(tmp_path))), paths.config_file())
    days = Days(monkeypatch.setattr, tmp_path)
    with Store(paths.database_file()) as store:
        for hour, rate in (("04:10", 84.0), ("08:05", 92.0), ("12:20", 97.0), ("16:00", 104.0)):
            filed = days.chart(store, f"{DAY}T{hour}", {"hr": rate, "pain": 3.0, "urine": 200.0}, ADA)
            store.filings.file(filed, "T. Early", [])
        last = days.chart(store, f"{DAY}T20:15", {"hr": 112.0, "urine": 150.0}, ADA, name="evening round.txt")
        stay = store.dictations.one(last).encounter_id
        store.handover_entries.write(stay, "severity", "watcher", "T. Early")
        store.handover_entries.write(stay, "to_do", TO_DO, "T. Early")
        days.chart(store, f"{DAY}T20:20", {"hr": 70.0}, LINDQVIST, name="bed 7.txt", review=True)
        store.patients.add("Morales, Teo", "9", "4410")
    return last


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    return out + err


def test_what_a_dictation_lacks_is_told_with_its_last_time(capsys: pytest.CaptureFixture[str], number: int) -> None:
    text = told(capsys, "missing", "--patient", ADA[0])
    assert text.startswith(f"Dictation {number}, evening round.txt, of {ADA[0]}")
    assert "Pain score, last charted 16:00: 3" in text
    data = json.loads(told(capsys, "missing", "--dictation", str(number), "--json"))
    pain = next(one for one in data["missing"] if one["row"] == "pain")
    assert (pain["last_charted"], pain["share_of_filed"]) == (f"{DAY}T16:00+00:00", 1.0)
    assert pain["reasons"] == ["in the last assessment", "usual on this ward"]
    assert "is not of" in told(capsys, "missing", "--patient", LINDQVIST[0], "--dictation", str(number), code=2)


def test_a_handover_has_confirmed_values_with_time_and_source(capsys: pytest.CaptureFixture[str], number: int) -> None:
    text = told(capsys, "handover", "--patient", ADA[0])
    assert text.splitlines()[0] == f"{ADA[0]} · MRN {ADA[2]} · bed {ADA[1]}"
    assert "Heart rate: 112 /min" in text
    assert "(20:15 · ↑ rising over 5 values · evening round.txt)" in text
    assert f"{TO_DO}   (T. Early, 16:00)" in text or f"{TO_DO}   (T. Early, 20:15)" in text
    assert "Pain score: 3" in text
    data = json.loads(told(capsys, "handover", "--patient", ADA[0], "--json"))
    assert data["values"] == sum(len(one["values"]) for one in data["sections"])
    for section in data["sections"]:
        assert all(one["at"] and one["dictation"] for one in section["values"])
    assert data["unreviewed_dictations"] == 0


def test_what_is_not_charted_is_no_zero(capsys: pytest.CaptureFixture[str], number: int) -> None:
    text = told(capsys, "handover", "--patient", ADA[0])
    assert "Balance: in not charted, out" in text
    assert "in 0 mL" not in text


def test_the_ward_is_one_list(capsys: pytest.CaptureFixture[str], number: int) -> None:
    lines = told(capsys, "handover", "--ward").splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["7", "9", "12"]
    assert "watcher" in lines[4]
    assert "not chosen" in lines[3]
    assert "nothing charted" in lines[3]


@pytest.mark.parametrize("whose", [("--patient", ADA[0]), ("--ward",)], ids=["patient", "ward"])
@pytest.mark.parametrize("name", ["handover.pdf", "handover.txt"])
def test_a_handover_is_written_to_a_file(
    capsys: pytest.CaptureFixture[str], number: int, tmp_path: Path, whose: tuple[str, ...], name: str
) -> None:
    out = tmp_path / name
    assert str(out) in told(capsys, "handover", *whose, "--out", str(out))
    data = out.read_bytes()
    assert data.startswith(b"%PDF") if name.endswith("pdf") else TO_DO.split(maxsplit=1)[0].encode() in data


def test_the_order_is_i_pass_sbar_or_the_wards_own(capsys: pytest.CaptureFixture[str], number: int) -> None:
    assert "Handover (I-PASS)" in told(capsys, "handover", "--patient", ADA[0])
    assert "Handover (SBAR)" in told(capsys, "handover", "--patient", ADA[0], "--order", "sbar")
    own = paths.config_dir() / "handover.toml"
    own.write_text('name = "Ours"\n[[section]]\ntitle = "All"\nkind = "values"\nrest = true\n', encoding="utf-8")
    text = told(capsys, "handover", "--patient", ADA[0])
    assert "Handover (Ours)" in text
    assert "ALL" in text
    own.write_text('name = "Ours"\n[[section]]\ntitle = "All"\nkind = "value"\n', encoding="utf-8")
    assert "gives section 1, 'All', the kind 'value'" in told(capsys, "handover", "--patient", ADA[0], code=2)


def test_a_note_tells_the_confirmed_values_and_nothing_else(
    capsys: pytest.CaptureFixture[str], number: int, tmp_path: Path
) -> None:
    data = json.loads(told(capsys, "note", str(number), "--json"))
    with Store(paths.database_file()) as store:
        standing = {one.id for one in store.values.of(number) if one.stands}
    assert {value for one in data["sentences"] for value in one["values"]} == standing
    assert data["values"] == len(standing)
    assert "Vital signs, 20:15: Heart rate 112 /min" in data["text"]
    assert data["text"].endswith("Confirmed by T. Early.")
    out = tmp_path / "note.txt"
    assert str(out) in told(capsys, "note", str(number), "--out", str(out))
    assert out.read_text(encoding="utf-8") == f"{data['text']}\n"


def test_what_is_offered_is_measured_on_the_cases_of_other_authors(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save_settings(Settings(reviewer="R. Nurse", schema=str(write_schema(tmp_path))), paths.config_file())
    said = {"id": "hr", "value_type": "NUMERIC", "name": "Heart rate", "value": 88, "words": "Heart rate 88"}
    case = {"transcript": "Heart rate 88.", "observations": [said], "acceptable": [], "forbidden": []}
    files = []
    for author in ("one", "two"):
        files.append(tmp_path / f"{author}.jsonl")
        cases = [json.dumps(case | {"id": f"{author}-{number}"}) for number in range(4)]
        files[-1].write_text("\n".join(cases), encoding="utf-8")
    data = json.loads(told(capsys, "eval", "gaps", "--cases", *map(str, files), "--json"))
    assert (data["taken_away"], data["offered"], data["offered_by_habit_alone"]) == (8, 1.0, 1.0)
    assert (data["complete_dictations"], data["noise_per_dictation"]) == (8, 0.0)
    assert "at least two" in told(capsys, "eval", "gaps", "--cases", str(files[0]), code=2)
