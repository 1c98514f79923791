"""Whatever a later export holds, an extended contract loses nothing, and reads every value of before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.contract.build import Built
from extraction.contract.compile import export_map, flowsheet_schema
from extraction.contract.document import contract_bytes, contract_hash, read_contract
from extraction.contract.errors import ContractError
from extraction.contract.extension import extend
from extraction.contract.records import (
    Alias,
    Cell,
    Contract,
    ContractOption,
    ContractRow,
    Decision,
    Field,
    FieldType,
    Source,
    SourceKind,
)
from extraction.contract.row_history import NumberHistory, RowHistory
from extraction.schema_files.native_format import parse_schema

WORDS = ("Pulse", "Skin", "Gait", "Drain", "Bell", "Mood", "Cough", "Sleep")
CHOICES = ("Pink", "Pale", "Bluish", "None", "Wet", "Dry")
SOURCE = Source("rows.csv", "0" * 64, SourceKind.DICTIONARY)
FIELD = Field("0" * 12, "rows.csv", "ID", FieldType.INTEGER, 5, 5, 0.0)


@st.composite
def contract_rows(draw: st.DrawFn, row_id: str) -> ContractRow:
    value_type = draw(st.sampled_from(("numeric", "text", "single_select", "multi_select", "yes_no")))
    options = ()
    if value_type.endswith("select"):
        names = draw(st.lists(st.sampled_from(CHOICES), min_size=1, max_size=4, unique=True))
        options = tuple(ContractOption(name, code) for code, name in enumerate(map(str, names)) for code in [str(code)])
    return ContractRow(
        row_id,
        draw(st.sampled_from(WORDS)),
        value_type,
        tuple(Alias(name, "label") for name in draw(st.lists(st.sampled_from(WORDS), max_size=2, unique=True))),
        options=options,
        unit=draw(st.sampled_from(("", "mL", "bpm"))) if value_type == "numeric" else "",
        minimum=draw(st.sampled_from((None, 1.0, 2.0))) if value_type == "numeric" else None,
        charted=draw(st.integers(0, 5)),
        history=draw(st.sampled_from((None, RowHistory(5, 3), RowHistory(9, 4, 0.5)))),
        retired=draw(st.booleans()),
        cells=(Cell("rows.csv", int(row_id), "ID"),),
    )


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    ids = draw(st.lists(st.integers(1, 8).map(str), min_size=1, max_size=6, unique=True))
    rows = tuple(draw(contract_rows(row_id)) for row_id in ids)
    return Contract("made", 1, "", "2026-01-01T00:00:00Z", (SOURCE,), (FIELD,), rows=rows)


def forms(row: ContractRow) -> set[str]:
    return {form.casefold() for option in row.options for form in (option.name, *option.synonyms)}


@given(contracts(), st.lists(contracts(), min_size=1, max_size=3))
def test_nothing_is_lost_and_every_value_of_before_can_be_read(first: Contract, exports: list[Contract]) -> None:
    contract = first
    for later in exports:
        former, digest = contract, contract_hash(contract_bytes(contract))
        try:
            extension = extend(former, digest, Built(later))
        except ContractError:  # hardly any row in common, see below
            continue
        contract = extension.contract
        now = {row.id: row for row in contract.rows}
        assert {row.id for row in former.rows} <= now.keys()
        assert {row.id for row in later.rows} <= now.keys()
        for row in former.rows:
            assert now[row.id].value_type == row.value_type
            assert now[row.id].name == row.name
            assert forms(row) <= forms(now[row.id])
            assert row.history is None or now[row.id].history is not None
            assert set(row.aliases) <= set(now[row.id].aliases)
            assert not row.unit or now[row.id].unit == row.unit
            assert row.options == () or len(now[row.id].options) >= len(row.options)
            codes = {option.name: option.code for option in row.options if option.code}
            back = {option.name: option.code for option in now[row.id].options}
            assert codes.items() <= back.items()
        if extension.changes:
            assert (contract.version, contract.parent) == (former.version + 1, digest)
        else:
            assert contract == former
        assert read_contract(contract_bytes(contract), "contract.json") == contract
        assert export_map(contract).keys() == now.keys()
        if any(not row.retired for row in contract.rows):
            assert len(parse_schema(flowsheet_schema(contract), "schema").rows) == sum(
                not row.retired for row in contract.rows
            )
        assert extend(contract, "", Built(later)).changes == ()  # the same export again has nothing new


def test_the_export_of_another_record_system_is_refused() -> None:
    rows = tuple(
        ContractRow(str(number), f"Row {number}", "text", cells=(Cell("rows.csv", 1, "ID"),)) for number in range(9)
    )
    ours = Contract("made", 1, "", "2026-01-01T00:00:00Z", (SOURCE,), (FIELD,), rows=rows)
    theirs = replace(ours, rows=tuple(replace(row, id=f"X{row.id}") for row in rows))
    with pytest.raises(ContractError, match="another record system"):
        extend(ours, "", Built(theirs))


def test_a_later_export_counts_again_and_figures_in_a_former_unit_go() -> None:
    history = RowHistory(500, 40, numbers=(NumberHistory(500, 40, 35.0, 41.0),))
    row = ContractRow("1", "Temperature", "numeric", unit="Cel", ucum="Cel", history=history)
    first = Contract("made", 1, "", "2026-01-01T00:00:00Z", (SOURCE,), (FIELD,), rows=(row,))
    assert extend(first, "", Built(first)).changes == ()
    more = replace(first, rows=(replace(row, history=RowHistory(900, 70)),))
    extension = extend(first, "", Built(more))
    assert [(change.kind, change.says) for change in extension.changes] == [("counted again", "how 1 row was charted")]
    assert extension.contract.rows[0].history == RowHistory(900, 70)
    assert (
        extend(first, "", Built(replace(first, rows=(replace(row, history=None),)))).contract.rows[0].history == history
    )
    warmer = replace(row, unit="[degF]", ucum="[degF]", history=None)
    undecided = replace(first, rows=(warmer,))
    assert extend(first, "", Built(undecided)).contract.rows[0].history == history
    decided = replace(undecided, decisions=(Decision("conflict:1:unit:Cel:[degF]", "new", "Anna Novak", ""),))
    extended = extend(first, "", Built(decided)).contract.rows[0]
    assert (extended.unit, extended.history) == ("[degF]", None)
