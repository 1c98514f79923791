"""The document of a contract: what is wrong with one is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

import resources
from extraction.contract.document import FORMAT, contract_bytes, read_contract, validity
from extraction.contract.errors import ContractError
from extraction.contract.records import Cell, Contract, ContractRow, Field, FieldType, Key, Source
from extraction.contract.row_history import ChartedTotals, Companion, NumberHistory, OptionHistory, RowHistory

CONTRACT = Contract(
    "rows-1",
    1,
    "",
    "2026-01-01T00:00:00Z",
    (Source("rows.csv", "0" * 64),),
    (Field("0" * 12, "rows.csv", "ROW_ID", FieldType.INTEGER, 5, 5, 0.0),),
    keys=(Key("rows.csv", ("ROW_ID",)),),
    rows=(ContractRow("1", "Pulse", "numeric", cells=(Cell("rows.csv", 2, "ROW_ID"),)),),
)
HISTORY = RowHistory(
    90, 30, 0.5, None, 0.25, 60, 240, "2026-02", (OptionHistory("Pink", 7),),
    (NumberHistory(90, 30, 52.0, 131.5, ((0.25, 70.0), (0.75, 90.0))),), (Companion("2", 0.75),),
)  # fmt: skip


def changed(change: Callable[[dict[str, Any]], None]) -> bytes:
    document = json.loads(contract_bytes(CONTRACT))
    change(document)
    return json.dumps(document).encode()


def test_names_of_the_document() -> None:
    document = json.loads(contract_bytes(CONTRACT))
    assert document["contract"] == FORMAT
    assert document["keys"] == [{"source": "rows.csv", "fields": ["ROW_ID"], "uniqueness": 1.0, "confidence": 1.0}]
    row = document["rows"][0]
    assert (row["id"], row["name"], row["value_type"], row["aliases"], row["synonyms"]) == (
        "1",
        "Pulse",
        "numeric",
        [],
        [],
    )
    assert row["cells"] == [["rows.csv", 2, "ROW_ID"]]


def test_a_reference_that_leads_nowhere_is_refused_with_the_nearest_field() -> None:
    data = changed(lambda document: document["keys"][0].update(fields=["ROW_IDD"]))
    with pytest.raises(
        ContractError, match=r"a key refers to the field 'ROW_IDD' of rows\.csv.*nearest is rows\.csv ROW_ID"
    ):
        read_contract(data, "contract.json")
    assert validity(CONTRACT) == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document.pop("contract"), "is not a contract"),
        (lambda document: document.update(contract="wardlight-contract/3"), "of another version"),
        (lambda document: document.update(version="one"), r"/version must be a whole number"),
        (lambda document: document.update(version=2), "version 2 does not name the version before it"),
        (lambda document: document.update(parent="0" * 64), "version 1 does not name the version before it"),
        (lambda document: document["rows"][0].update(colour=1), "unknown field 'colour'"),
        (lambda document: document["rows"][0].pop("name"), "lacks the field 'name'"),
        (lambda document: document["fields"][0].update(type="blob"), "must be one of integer"),
        (lambda document: document["rows"][0].update(cells=[["rows.csv", "2", "ROW_ID"]]), "must be a cell"),
        (lambda document: document.update(rows={}), "must be a list"),
        (lambda document: document.update(relations=[{"kind": "same", "rows": []}]), "must be one of instances, alike"),
        (lambda document: document.update(relations=[{"kind": "alike", "rows": ["none"]}]), "refers to the row 'none'"),
    ],
)
def test_what_is_wrong_is_named(change: Callable[[dict[str, Any]], None], message: str) -> None:
    with pytest.raises(ContractError, match=message):
        read_contract(changed(change), "contract.json")


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"[]", b"1"])
def test_other_files_are_no_contracts(data: bytes) -> None:
    with pytest.raises(ContractError, match="is not a contract"):
        read_contract(data, "contract.json")


def test_a_history_is_read_back() -> None:
    contract = replace(
        CONTRACT,
        rows=(replace(CONTRACT.rows[0], history=HISTORY),),
        charted=ChartedTotals(900, 30, 40, 120, 200, "2026-01", "2026-02"),
    )
    data = contract_bytes(contract)
    assert read_contract(data, "contract.json") == contract
    schema = json.loads((resources.FOLDER / "schemas" / "contract.schema.json").read_bytes())
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(json.loads(data))) == []


def test_a_contract_of_the_first_version_is_read() -> None:
    document = json.loads(contract_bytes(CONTRACT)) | {"contract": "wardlight-contract/1"}
    del document["charted"], document["rows"][0]["history"]
    assert read_contract(json.dumps(document).encode(), "contract.json") == CONTRACT
    schema = json.loads((resources.FOLDER / "schemas" / "contract.schema.json").read_bytes())
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(document)) == []


def test_documents_are_as_the_json_schema_says() -> None:
    schema = json.loads((resources.FOLDER / "schemas" / "contract.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    document = json.loads(contract_bytes(CONTRACT))
    assert list(check.iter_errors(document)) == []
    document["rows"][0]["colour"] = "red"
    assert len(list(check.iter_errors(document))) == 1
    assert set(schema["properties"]) == set(json.loads(contract_bytes(CONTRACT)))
