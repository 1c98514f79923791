"""A contract of a small export of an invented record system."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.contract.build import Built, build_contract
from extraction.contract.document import contract_bytes, read_contract
from extraction.contract.errors import SourceError
from extraction.contract.gates import may_be_used
from extraction.contract.records import Contract, ContractRow, DecidedBy, Decision, FieldRole, SourceKind
from extraction.contract.sources.discovery import find_sources
from models.base.errors import Cancelled
from models.base.progress import ProgressMonitor
from tests.kit.exports import DICTIONARY, MAPPING, OPTIONS, SENTENCE, write_exports

AT = "2026-03-01T10:00:00Z"


def built(folder: Path, *decisions: Decision) -> Built:
    return build_contract(find_sources(folder), AT, decisions)


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    return built(write_exports(tmp_path_factory.mktemp("exports"))).contract


def row(contract: Contract, row_id: str) -> ContractRow:
    return next(one for one in contract.rows if one.id == row_id)


def test_each_source_is_known_by_what_it_holds(contract: Contract) -> None:
    assert {source.name: source.kind for source in contract.sources} == {
        "dictionary.csv": SourceKind.DICTIONARY,
        "groups.csv": SourceKind.GROUPS,
        "mapping.csv": SourceKind.MAPPING,
        "options.csv": SourceKind.OPTIONS,
        "values.csv": SourceKind.VALUES,
    }


def test_keys_and_links(contract: Contract) -> None:
    keys = {key.source: key.fields for key in contract.keys}
    assert keys["dictionary.csv"] == ("PARAM_ID",)
    assert keys["options.csv"] == ("LIST_KEY", "SEQ")
    assert keys["mapping.csv"] == ("OLD_PARAM_ID",)
    assert keys["values.csv"] == ("ENTRY_ID",)
    rows = [
        ((source, "PARAM_ID"), ("dictionary.csv", "PARAM_ID")) for source in ("groups.csv", "mapping.csv", "values.csv")
    ]
    lists = (("dictionary.csv", "LIST_KEY"), ("options.csv", "LIST_KEY"))
    assert {(link.child, link.parent) for link in contract.links} == {*rows, lists}


def test_roles_of_the_fields(contract: Contract) -> None:
    roles = {(role.source, role.field): role.role for role in contract.roles}
    assert roles["dictionary.csv", "LABEL"] is FieldRole.ROW_NAME
    assert roles["dictionary.csv", "SHORT_NAME"] is FieldRole.ROW_ALIAS
    assert roles["dictionary.csv", "DATA_TYPE"] is FieldRole.VALUE_TYPE
    assert roles["dictionary.csv", "LOW_LIMIT"] is FieldRole.MINIMUM
    assert roles["dictionary.csv", "STATUS"] is FieldRole.ACTIVE
    assert roles["dictionary.csv", "CHANGED_BY"] is FieldRole.PERSON
    assert roles["values.csv", "PATIENT_NO"] is FieldRole.PATIENT
    assert roles["values.csv", "VISIT_NO"] is FieldRole.ENCOUNTER
    assert roles["values.csv", "RESULT"] is FieldRole.VALUE
    assert roles["values.csv", "CHARTED_AT"] is FieldRole.OBSERVED_AT
    assert roles["values.csv", "STORED_AT"] is FieldRole.RECORDED_AT
    assert roles["options.csv", "CHOICE"] is FieldRole.OPTION_NAME


def test_rows_with_types_units_ranges_and_groups(contract: Contract) -> None:
    pulse = row(contract, "70001")
    assert (pulse.name, pulse.value_type, pulse.unit, pulse.ucum) == ("Pulse rate", "numeric", "bpm", "/min")
    assert (pulse.minimum, pulse.maximum) == (20, 250)
    assert pulse.categories == (("Adult ward", "Vital signs"),)
    assert [alias.text for alias in pulse.aliases] == ["HR"]
    assert row(contract, "70006").categories == (("Adult ward", "Drains"), ("Surgery", "Drains"))
    assert row(contract, "70007").unit_of == "70006"
    assert row(contract, "70004").value_type == "multi_select"
    assert row(contract, "70005").value_type == "text"
    assert row(contract, "70011").value_type == "yes_no"


def test_options_with_codes_and_a_former_spelling(contract: Contract) -> None:
    options = row(contract, "70003").options
    assert [(option.name, option.code, option.synonyms) for option in options] == [
        ("Pink", "P", ()), ("Pale", "W", ("Wan",)), ("Bluish", "B", ()),
    ]  # fmt: skip


def test_options_that_only_values_show_are_those_of_two_patients_or_more(contract: Contract) -> None:
    gait = row(contract, "70008")
    assert gait.value_type == "single_select"
    assert [option.name.casefold() for option in gait.options] == ["shuffling", "steady", "unsteady"]


def test_what_one_patient_alone_has_is_kept_nowhere(contract: Contract) -> None:
    document = contract_bytes(contract).decode()
    assert SENTENCE not in document
    assert "P3003" not in document
    assert "E81003" not in document
    assert "N017" not in document


def test_a_type_that_nothing_states_is_taken_from_the_values(contract: Contract) -> None:
    assert row(contract, "70010").value_type == "numeric"


def test_retired_doubles_and_old_ids_lead_to_the_row_in_use(contract: Contract) -> None:
    pulse = row(contract, "70001")
    assert set(pulse.former_ids) == {"70009", "V-11"}
    assert pulse.charted == 60  # those under the old id, too
    assert row(contract, "70012").retired
    assert "70009" not in {one.id for one in contract.rows}


@pytest.mark.parametrize(
    "retired",
    [
        "5,Drain A,Number,cm,retired",  # a length is no volume
        "5,Drain A,Free text,,retired",
    ],
)
def test_a_retired_row_of_the_same_name_that_charts_something_else_stays_a_row(tmp_path: Path, retired: str) -> None:
    lines = [
        "ROW_ID,ROW_NAME,DATA_TYPE,UNIT,STATUS",
        "1,Drain A,Number,mL,active",
        "2,Pulse,Number,/min,active",
        *(f"{number},{name},Number,kg,active" for number, name in ((3, "Weight"), (6, "Lifted"), (7, "Load"))),
        "4,Pulse,Number,bpm,retired",
        retired,
    ]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    contract = built(tmp_path).contract
    assert {one.id: one.former_ids for one in contract.rows if one.id in tuple("1245")} == {
        "1": (),
        "2": ("4",),
        "5": (),
    }


def test_ids_that_nothing_explains_are_named(tmp_path: Path) -> None:
    assert built(write_exports(tmp_path)).orphans == {"79999": 1}


def test_each_row_names_the_cells_it_came_from(contract: Contract) -> None:
    cells = row(contract, "70002").cells
    assert ("dictionary.csv", 3, "LABEL") in {(cell.source, cell.line, cell.field) for cell in cells}
    assert ("mapping.csv", 3, "OLD_PARAM_ID") in {(cell.source, cell.line, cell.field) for cell in cells}
    option = row(contract, "70003").options[0]
    assert [(cell.source, cell.line, cell.field) for cell in option.cells] == [("options.csv", 2, "CHOICE")]


def test_it_may_be_used_and_is_the_same_each_time(contract: Contract, tmp_path: Path) -> None:
    assert may_be_used(contract)
    assert contract_bytes(built(write_exports(tmp_path)).contract) == contract_bytes(contract)
    assert read_contract(contract_bytes(contract), "contract.json") == contract


def test_a_person_s_answer_overrules_and_is_not_asked_again(tmp_path: Path) -> None:
    folder = write_exports(tmp_path, values=())
    before = built(folder)
    asked = {question.id for question in before.questions}
    assert "type:70010" in asked  # without values nothing shows it
    answer = Decision("type:70010", "numeric", "Anna Novak", AT)
    after = built(folder, answer)
    assert row(after.contract, "70010").value_type == "numeric"
    assert "type:70010" not in {question.id for question in after.questions}
    assert after.contract.decisions == (answer,)
    role = Decision("role:dictionary.csv:SHORT_NAME", "row-name", "Anna Novak", AT)
    swap = Decision("role:dictionary.csv:LABEL", "row-alias", "Anna Novak", AT)
    assert row(built(folder, role, swap).contract, "70001").name == "HR"


def test_rows_are_found_in_the_values_where_nothing_lists_them(tmp_path: Path) -> None:
    contract = built(write_exports(tmp_path, dictionary=(), options=(), groups=(), mapping=())).contract
    assert {"70001", "70002", "70008"} <= {one.id for one in contract.rows}
    assert row(contract, "70002").value_type == "numeric"


def test_an_export_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="None of these files lists the rows"):
        built(write_exports(tmp_path, dictionary=(), values=(), groups=(), mapping=()))


def test_a_dictionary_with_two_columns_and_no_values(tmp_path: Path) -> None:
    lines = [(line[0], line[2]) for line in DICTIONARY]
    options = [("PARAM_ID", "CODE", "OPTION"), *(("70003", *line[2:4]) for line in OPTIONS[1:4])]
    options += [("70004", *line[2:4]) for line in OPTIONS[5:8]]
    contract = built(write_exports(tmp_path, dictionary=lines, options=options, values=(), groups=())).contract
    assert [option.name for option in row(contract, "70003").options] == ["Pink", "Pale", "Bluish"]
    assert row(contract, "70001").former_ids == (MAPPING[1][0],)


def test_it_can_be_stopped(tmp_path: Path) -> None:
    tables = find_sources(write_exports(tmp_path))
    with pytest.raises(Cancelled):
        build_contract(tables, AT, monitor=ProgressMonitor(cancelled=lambda: True))


def test_a_question_about_a_role_offers_its_rivals_and_the_answer_holds(tmp_path: Path) -> None:
    lines = [(*DICTIONARY[0], "SPOKEN"), *((*line, f"NURS R {line[2].upper()}") for line in DICTIONARY[1:])]
    folder = write_exports(tmp_path, dictionary=lines)
    asked = next(one for one in built(folder).questions if one.id.startswith("role:"))
    assert len(asked.choices) >= 3
    assert asked.choices[-1][0] == "other"
    assert len(asked.examples) == 3
    assert len(asked.effects) == len(asked.choices)
    assert all(asked.examples[0] in effect for effect in asked.effects[:-1])
    rival = asked.choices[1][0]
    after = built(folder, Decision(asked.id, rival, "Anna Novak", AT))
    source, column = asked.id.split(":")[1:]
    roles = {role.field: role for role in after.contract.roles if role.source == source}
    assert (roles[column].role, roles[column].decided_by) == (rival, DecidedBy.PERSON)
    assert [role.role for role in roles.values()].count(FieldRole.ROW_NAME) == 1
    assert asked.id not in {one.id for one in after.questions}


def test_a_column_gives_a_role_up_to_the_one_that_a_person_chose(tmp_path: Path) -> None:
    decision = Decision("role:dictionary.csv:SHORT_NAME", "row-name", "Anna Novak", AT)
    contract = built(write_exports(tmp_path), decision).contract
    assert row(contract, "70001").name == "HR"
    roles = {role.field: role.role for role in contract.roles if role.source == "dictionary.csv"}
    assert roles["LABEL"] is FieldRole.ROW_ALIAS


def test_a_person_overrules_which_columns_hold_options(tmp_path: Path) -> None:
    def roles(folder: Path, column: str, role: str) -> dict[str, FieldRole]:
        contract = built(folder, Decision(f"role:dictionary.csv:{column}", role, "Anna Novak", AT)).contract
        return {one.field: one.role for one in contract.roles if one.source == "dictionary.csv"}

    choices = ("CHOICE1", "CHOICE2", "CHOICE3", "SHADES")
    lines = [(*DICTIONARY[0], *choices), *((*line, "Pink", "Pale", "Dry", "Rosy") for line in DICTIONARY[1:])]
    folder = write_exports(tmp_path, dictionary=lines)
    kept = roles(folder, "CHOICE1", "option-name")
    assert [kept[one] for one in choices[:3]] == [FieldRole.OPTION_NAME] * 3
    left = roles(folder, "CHOICE3", "other")
    assert [left[one] for one in choices[:3]] == [FieldRole.OPTION_NAME, FieldRole.OPTION_NAME, FieldRole.OTHER]
    instead = roles(folder, "SHADES", "option-name")
    assert [place for place, role in instead.items() if role is FieldRole.OPTION_NAME] == ["SHADES"]


def test_an_answer_counts_for_the_table_of_another_date_too(tmp_path: Path) -> None:
    folder = write_exports(tmp_path)
    (folder / "dictionary.csv").rename(folder / "dictionary_2026-02-01.csv")

    def name(*decisions: Decision) -> str:
        return row(built(folder, *decisions).contract, "70001").name

    def decision(date: str, answer: str) -> Decision:
        return Decision(f"role:dictionary_{date}.csv:SHORT_NAME", answer, "Anna Novak", AT)

    assert name(decision("2026-01-01", "row-name")) == "HR"
    assert name(decision("2026-01-01", "row-name"), decision("2026-02-01", "row-alias")) == "Pulse rate"
    assert name(decision("2026-01-01", "row-name"), decision("2025-12-01", "other")) == "Pulse rate", "none is sure"
