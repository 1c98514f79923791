"""A schema summed up."""

from __future__ import annotations

import json

from app.services.settings.schema_summary import schema_facts
from extraction.schema_files.native_format import parse_schema
from tests.kit.fake_app import SCHEMA


def test_rows_categories_and_kinds_are_counted() -> None:
    facts = schema_facts(parse_schema(json.dumps(SCHEMA | {"language": "en"}).encode(), "ward.json"))
    assert (facts.name, facts.version, facts.language) == ("Test ward", "1", "en")
    assert facts.rows == sum(rows for _, rows in facts.outermost) == sum(facts.kinds.values()) == 20
    assert facts.outermost[0] == ("Vital signs", 7)
    assert dict(facts.outermost)["Elimination"] == 3, "with what its inner categories hold"
    assert facts.categories > len(facts.outermost)
    assert list(facts.kinds.values()) == sorted(facts.kinds.values(), reverse=True)
