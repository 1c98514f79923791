"""Converts SYNUR's schema format into our own (microsoft/SYNUR; Corbeil et al., EMNLP 2025)."""

from __future__ import annotations

from typing import Any

from extraction.schema_files.checks import FORMAT

SYNUR_TYPES = {
    "SINGLE_SELECT": "single_select",
    "MULTI_SELECT": "multi_select",
    "NUMERIC": "numeric",
    "STRING": "text",
}


def from_synur(rows: list[Any], sha256: str) -> dict[str, Any]:
    """A SYNUR list as a document in Wardlight's format; faults are kept, to be found by the same checks."""
    by_name = {row["name"]: row for row in reversed(rows) if isinstance(row, dict) and isinstance(row.get("name"), str)}
    return {
        "format": FORMAT,
        "id": "synur",
        "name": "SYNUR",
        "version": sha256[:12],
        "categories": [{"name": "Flowsheet", "rows": [_synur_row(row, by_name) for row in rows]}],
    }


def _synur_row(row: Any, by_name: dict[str, dict[str, Any]]) -> Any:
    if not isinstance(row, dict):
        return row
    new: dict[str, Any] = {key: row[key] for key in ("id", "name") if key in row}
    if isinstance(row.get("id"), int) and not isinstance(row["id"], bool):
        new["id"] = str(row["id"])
    name, kind, options = row.get("name"), row.get("value_type"), row.get("value_enum")
    if kind is not None:
        new["type"] = SYNUR_TYPES.get(kind, kind) if isinstance(kind, str) else kind
    if kind == "SINGLE_SELECT" and isinstance(options, list) and sorted(map(str, options)) == ["No", "Yes"]:
        new["type"] = "yes_no"
    elif options:
        new["options"] = (
            [_with_readable_synonym(option) for option in options] if isinstance(options, list) else options
        )
    if isinstance(name, str):
        if name.endswith(" unit") and new.get("type") == "single_select":
            measured = by_name.get(name.removesuffix(" unit"))
            if measured is not None:
                new["unit_of"] = str(measured.get("id"))
        plain = readable(name)
        if plain != name:
            new["synonyms"] = [plain]
    return new


def _with_readable_synonym(option: Any) -> Any:
    """Keeps the file's exact string as the option's name, and adds a readable synonym if it is garbled."""
    plain = readable(option) if isinstance(option, str) else option
    return option if plain == option else {"name": option, "synonyms": [plain]}


def readable(text: str) -> str:
    """Repairs UTF-8 that was decoded as Windows-1252 ('Â°C' for '°C'); leaves other text unchanged."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text
