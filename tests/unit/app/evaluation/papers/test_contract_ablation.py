"""Each condition lacks what it names, and nothing else; what is right is counted against the gold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.evaluation.papers.__main__ import main
from app.evaluation.papers.contract_ablation.conditions import CONDITIONS, build_under
from app.evaluation.papers.contract_ablation.gold import Share, compare, read_gold
from extraction.contract import build
from models.base.errors import InputError
from tests.kit.exports import write_exports

GOLD = {
    "keys": [{"source": "dictionary.csv", "fields": ["PARAM_ID"]}, {"source": "values.csv", "fields": ["ENTRY_ID"]}],
    "links": [{"child": ["groups.csv", "PARAM_ID"], "parent": ["dictionary.csv", "PARAM_ID"]}],
    "also_unique": [{"source": "options.csv", "fields": ["LIST_KEY", "SEQ"]},
                    {"source": "mapping.csv", "fields": ["OLD_PARAM_ID"]}],
    "links_partial": [{"child": [source, field], "parent": parent} for source, field, parent in (
        ("mapping.csv", "PARAM_ID", ["dictionary.csv", "PARAM_ID"]),
        ("values.csv", "PARAM_ID", ["dictionary.csv", "PARAM_ID"]),
        ("dictionary.csv", "LIST_KEY", ["options.csv", "LIST_KEY"]))],
    "rows": [
        {"id": "70001", "type": "numeric", "unit": "bpm"},
        {"id": "70003", "type": "single_select", "unit": None, "options": [{"name": "Pink"}, {"name": "Pale"},
                                                                           {"name": "Bluish"}, {"name": "Grey"}]},
    ],
}  # fmt: skip


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    file = tmp_path / "gold.json"
    file.write_text(json.dumps(GOLD))
    return file


def test_what_is_right_is_counted_against_the_gold(tmp_path: Path, gold: Path) -> None:
    own = build_under(CONDITIONS[0], write_exports(tmp_path / "exports")).contract
    assert compare(own, read_gold(gold)) == {
        "keys": Share(2, 2, 2), "links": Share(1, 1, 1), "types": Share(2, 2, 2), "units": Share(1, 1, 1),
        "options": Share(3, 3, 4),
    }  # fmt: skip


def test_tables_that_the_gold_does_not_speak_of_count_neither_way(tmp_path: Path) -> None:
    declared = {
        "tables": [{"table": "dictionary", "file": "dictionary.csv", "primary_key": ["PARAM_ID"]}],
        "foreign_keys": [
            {"child": "values", "columns": ["PARAM_ID"], "parent": "dictionary", "parent_columns": ["PARAM_ID"]}
        ],
        "true_but_not_declared": {"keys": [{"table": "values", "file": "values.csv", "primary_key": ["ENTRY_ID"]}]},
    }
    (tmp_path / "gold.json").write_text(json.dumps(declared))
    own = build_under(CONDITIONS[0], write_exports(tmp_path / "exports")).contract
    shares = compare(own, read_gold(tmp_path / "gold.json"))
    assert shares["keys"] == Share(1, 1, 1)
    assert (shares["links"].right, shares["links"].gold) == (1, 1)
    assert shares["links"].found == 2, "that of the dictionary's lists is not in this gold"


def test_each_condition_lacks_its_part(tmp_path: Path) -> None:
    folder = write_exports(tmp_path / "exports")
    found = {one.name: build_under(one, folder).contract for one in CONDITIONS}
    assert found["own"].links
    assert not found["no-structure"].links
    assert not found["no-structure"].keys
    assert max(field.count for field in found["no-catalogue"].fields) <= 20
    assert {row.charted for row in found["one-pass"].rows} == {0}
    assert build.find_links.__module__ == "extraction.contract.structure.links", "everything is as it was"


def test_the_command_writes_figures_of_each_condition(
    tmp_path: Path, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = write_exports(tmp_path / "exports"), tmp_path / "figures.json"
    assert main(["contracts", f"{folder}={gold}", "--out", str(out)]) == 0
    assert [one["condition"] for one in json.loads(out.read_bytes())] == [one.name for one in CONDITIONS]
    assert "1.00 / 0.75" in capsys.readouterr().out


def test_a_file_that_is_no_gold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text("{}")
    with pytest.raises(InputError, match="is no gold of exports"):
        read_gold(tmp_path / "gold.json")
