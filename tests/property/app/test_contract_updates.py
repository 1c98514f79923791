"""Whatever a second export holds, values that were filed before are read, and go back under the same codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.contracts import build_from_folder, load_contract, save_bytes, save_contract
from app.exchange.contract_codes import hospital_codes
from extraction.confidence.binding import rows_sha256, shared
from extraction.contract.compile import flowsheet_schema
from extraction.contract.extension import extend, standing
from extraction.contract.gates import may_be_used
from extraction.contract.records import Decision
from extraction.schema_files.native_format import parse_schema
from tests.kit.exports import DICTIONARY, OPTIONS, write_exports
from tests.kit.hospital import SAID, Hospital

AT = "2026-05-01T00:00:00Z"
TYPES = ("Number", "Pick list", "Pick list (multiple)", "Free text", "Yes/No", "")
IDS = [line[0] for line in DICTIONARY[1:]]


@st.composite
def dictionaries(draw: st.DrawFn) -> tuple[list[tuple[str, ...]], set[str]]:
    """A later dictionary, and the rows of which it says the same as before."""
    lines, same = [DICTIONARY[0]], set()
    for line in DICTIONARY[1:]:
        what = draw(st.sampled_from(("same", "same", "gone", "type", "unit", "name", "limits", "status")))
        row_id, short, name, kind, options, unit, low, high, status, by = line
        if what == "same":
            same.add(row_id)
        elif what == "type":
            kind = draw(st.sampled_from(TYPES))
        elif what == "unit":
            unit = draw(st.sampled_from(("", "L", "mL", "°F")))
        elif what == "name":
            name = draw(st.sampled_from((f"{name} now", short, "Rate")))
        elif what == "limits":
            low, high = draw(st.sampled_from((("", ""), ("1", "9"), ("", "70"))))
        elif what == "status":
            status = "retired" if status == "active" else "active"
        if what != "gone":
            lines.append((row_id, short, name, kind, options, unit, low, high, status, by))
    lines += [(str(80000 + place), f"NEW{place}", f"New row {place}", draw(st.sampled_from(TYPES)), "", "", "", "",
               "active", "N017") for place in range(draw(st.integers(0, 3)))]  # fmt: skip
    return lines, same


@st.composite
def option_lists(draw: st.DrawFn) -> list[tuple[str, ...]]:
    kept = [line for line in OPTIONS[1:] if draw(st.integers(0, 4))]
    added = draw(st.lists(st.sampled_from((("L10", "7", "G", "Grey", "Y"), ("L11", "7", "P", "Rubs", "Y"),
                                           ("L10", "8", "P", "Pinkish", "Y"))), unique=True))  # fmt: skip
    return [OPTIONS[0], *kept, *added]


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hospital]:
    opened = Hospital(tmp_path_factory.mktemp("hospital"))
    opened.file()
    yield opened
    opened.store.close()


@settings(max_examples=8, deadline=None, phases=[Phase.generate])  # shrinking builds for minutes
@given(st.lists(st.tuples(dictionaries(), option_lists()), min_size=1, max_size=2), st.data())
def test_values_filed_before_are_read_and_coded_as_they_were(
    hospital: Hospital,
    exports: list[tuple[tuple[list[tuple[str, ...]], set[str]], list[tuple[str, ...]]]],
    data: st.DataObject,
) -> None:
    before = hospital_codes(hospital.settings, hospital.schema)
    values = hospital.store.values.of(hospital.dictation)
    first = hospital.contract_file.read_bytes()
    unchanged = set(IDS)
    try:
        for number, ((dictionary, same), options) in enumerate(exports):
            stored = load_contract(hospital.contract_file)
            with TemporaryDirectory() as name:
                folder = write_exports(Path(name), dictionary=dictionary, options=options, values=())
                built = build_from_folder(folder, stored.contract.decisions, name=stored.contract.id)
            asked = [one.question for one in standing(extend(stored.contract, stored.sha256, built).contract)]
            taken = data.draw(st.lists(st.sampled_from(asked), unique=True)) if asked else []
            given_now = tuple(Decision(one, "new", "R. Nurse", AT) for one in taken)
            decided = replace(built.contract, decisions=(*built.contract.decisions, *given_now))
            later = extend(stored.contract, stored.sha256, replace(built, contract=decided))
            if not later.changes:
                assert later.contract is stored.contract
                continue
            unchanged &= (
                same if options == list(OPTIONS) else {row for row in same if row not in ("70003", "70004", "70007")}
            )
            assert may_be_used(later.contract), [gate for gate in later.contract.gates if not gate.passed]
            save_contract(later.contract, hospital.contract_file)
            contract = load_contract(hospital.contract_file).contract
            assert contract == later.contract
            assert contract.version == number + 2 or number
            now = hospital_codes(hospital.settings, hospital.schema)
            assert now.rows.keys() == before.rows.keys()
            assert hospital.store.values.of(hospital.dictation) == values
            for row_id in SAID:
                codes = now.rows[row_id]
                assert codes.id == row_id
                assert before.rows[row_id].options.items() <= codes.options.items()
            schema = parse_schema(flowsheet_schema(contract), "schema")
            assert unchanged & schema.by_id.keys() <= shared(rows_sha256(hospital.schema), schema), (
                "what was learned about rows that did not change is kept"
            )
    finally:
        for file in hospital.contract_file.with_suffix(".versions").glob("*.json"):
            file.unlink()
        save_bytes(first, hospital.contract_file)
