"""Line numbers of values in a JSON text."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from extraction.schema_files.json_locations import lines_of

SAMPLE = """{
  "name": "A, \\"B\\": {1}",
  "rows": [
    {"id": "x"},

    {"id": "y", "range": {
      "min": -1.5e3
    }}
  ], "empty": [], "none": null
}"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def test_each_value_has_the_line_where_it_begins() -> None:
    lines = lines_of(SAMPLE)
    assert lines[()] == 1
    assert lines["name",] == 2
    assert lines["rows", 0, "id"] == 4
    assert lines["rows", 1] == lines["rows", 1, "range"] == 6
    assert lines["rows", 1, "range", "min"] == 7
    assert lines["empty",] == lines["none",] == 9


@given(VALUES)
def test_every_path_of_a_document_has_a_line(document: Any) -> None:
    text = json.dumps(document, indent=1)
    found = lines_of(text)

    def look(value: Any, path: tuple[str | int, ...]) -> None:
        assert path in found
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in inner:
            look(item, (*path, key))
            named = json.dumps(key) if isinstance(key, str) else ""
            assert text.split("\n")[found[*path, key] - 1].strip().startswith(named)

    look(document, ())
