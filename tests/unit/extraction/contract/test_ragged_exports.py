"""Exports with lines and tables that are none of the flowsheet's, and with what single patients said."""

from __future__ import annotations

import json
from pathlib import Path

from extraction.contract.document import contract_bytes
from extraction.contract.records import SourceKind
from tests.unit.extraction.contract.test_layouts import contract_of, items, rows_of

_TYPES = ("Numeric", "Pick list", "Pick list", "Numeric", "Free text", "Pick list", "Yes/No", "Numeric")


def _charted(*notes: str) -> list[list[str]]:
    lines = [["ENTRY_ID", "PATIENT_ID", "ITEM_ID", "TAKEN_TIME", "VALUE", "REMARK"]]
    for place, note in enumerate(notes):
        lines.append([str(700100 + place), f"P{place % 4}", "4100", f"2026-02-0{1 + place % 8} 08:00", "71", note])
    return lines


def test_what_was_set_aside_stands_among_the_checks(tmp_path: Path) -> None:
    values = [*_charted(*["calm"] * 8), ["8 rows selected."]]
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), charted=values)
    gate = next(gate for gate in contract.gates if gate.name == "lines set aside")
    assert (gate.value, gate.required) == (1, False)
    assert "charted.csv, line 10 (below the table)" in gate.says
    assert rows_of(contract)["Pulse rate"].charted == 8


def test_no_example_is_what_one_patient_alone_has_or_free_text(tmp_path: Path) -> None:
    asleep = "Asleep all night, nothing to say about it"
    notes = ("sore hip", asleep, "calm", "calm", "sore hip", asleep, "calm", "calm")  # each hip is that of one patient
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), charted=_charted(*notes))
    kept = json.dumps(json.loads(contract_bytes(contract)))
    assert "sore hip" not in kept
    assert "Asleep" not in kept
    assert "calm" not in kept  # it stands among free text
    value = next(field for field in contract.fields if field.path == "VALUE")
    assert (value.examples, value.minimum) == (("71",), "71")


def test_a_number_that_one_patient_alone_has_is_no_extreme(tmp_path: Path) -> None:
    values = _charted(*["calm"] * 8)
    values[1][4] = values[5][4] = "203"  # twice for the same patient
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), charted=values)
    value = next(field for field in contract.fields if field.path == "VALUE")
    assert (value.maximum, value.examples) == ("71", ("71",))


def test_words_are_examples_only_if_many_patients_share_a_closed_set(tmp_path: Path) -> None:
    sites = ("left heel", "sacrum", "right hip", "left elbow")
    forms = [["FORM_ID", "PATIENT_ID", "FILLED_TIME", "SITE", "STATE"]]
    forms += [
        [str(880100 + n), f"P{n % 9}", f"2026-02-0{1 + n % 8} 08:00", sites[n % 4] if n < 16 else "", "FV"[n % 2]]
        for n in range(40)
    ]
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), forms=forms)
    examples = {field.path: field.examples for field in contract.fields if field.source == "forms.csv"}
    assert set(examples["STATE"]) == {"F", "V"}
    assert examples["SITE"] == ()  # each place is that of four patients only


def test_notes_to_charted_values_are_no_examples_though_they_name_no_patient(tmp_path: Path) -> None:
    notes = [["ENTRY_ID", "NOTE_LINE", "NOTE_TEXT"]]
    notes += [[str(700100 + n), str(100 + n), f"told the daughter {n}"] for n in range(8)]
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), charted=_charted(*["calm"] * 8), notes=notes)
    assert "daughter" not in json.dumps(json.loads(contract_bytes(contract)))


def test_words_of_two_patients_are_no_options_of_a_row_that_nothing_calls_a_choice(tmp_path: Path) -> None:
    def options(said: tuple[str, ...], patients: int, kind: str) -> list[str]:
        charted = [["ENTRY_ID", "PATIENT_ID", "ITEM_ID", "TAKEN_TIME", "VALUE"]]
        for n in range(24):
            patient = f"P{n // len(said) % patients}"
            time = f"2026-02-0{1 + n % 8} {n:02}:00"
            charted.append([str(700100 + n), patient, "4101", time, said[n % len(said)]])
        types = ("Numeric", kind, "", "Numeric", "Free text", "", "Yes/No", "Numeric")
        contract = contract_of(tmp_path, items=items("TYPE", TYPE=types), charted=charted)
        return [option.name for option in rows_of(contract)["Skin colour"].options]

    assert options(("pink", "pale"), 2, "") == []
    assert options(("pink", "pale"), 3, "") == ["pale", "pink"]
    assert options(("pink", "pale"), 2, "Pick list") == ["pale", "pink"]


def test_a_list_of_staff_is_no_dictionary(tmp_path: Path) -> None:
    staff = [["INITIALS", "NAME", "UNIT"], *([f"A{one}", f"Nurse {'ABCDEFGH'[one]}", "ICU"] for one in range(8))]
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), staff=staff)
    assert {source.name: source.kind for source in contract.sources}["staff.csv"] is SourceKind.OTHER
    assert not any(row.name.startswith("Nurse") for row in contract.rows)


def test_a_source_of_limits_beside_the_rows_is_no_dictionary(tmp_path: Path) -> None:
    limits = [["RANGE_ID", "ITEM_ID", "LOW", "HIGH", "UNIT"]]
    limits += [[str(88000 + place), str(4100 + place), "0", "300", "mL"] for place in range(8)]
    contract = contract_of(tmp_path, items=items("TYPE", TYPE=_TYPES), limits=limits, charted=_charted(*["calm"] * 8))
    kinds = {source.name: source.kind for source in contract.sources}
    assert kinds["items.csv"] is SourceKind.DICTIONARY
    assert kinds["limits.csv"] is not SourceKind.DICTIONARY


def test_an_id_that_stands_there_twice_does_not_hide_the_dictionary(tmp_path: Path) -> None:
    lines = [["MERKMAL_NR", "BEZEICHNUNG", "BEZEICHNUNG_ALT", "DATENTYP", "EINHEIT"]]
    for one in range(40):
        name, old = f"Merkmal {'ABCDEFGH'[one % 8]} {one // 8}", f"Frueher {one}" if one % 4 == 0 else ""
        lines.append([str(5200 + one), name, old, "Zahl", "mL"])
    lines.append(lines[7])
    contract = contract_of(tmp_path, merkmale=lines)
    assert len(contract.rows) == 40
    assert {row.name for row in contract.rows} == {line[1] for line in lines[1:]}
