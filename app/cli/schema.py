"""`schema check | show | search | concepts | vocabulary`."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path
from typing import Any

from app.cli.arguments import add_machine
from app.cli.common import schema_path
from app.cli.console import Console, table
from app.cli.schema_meaning import meaning_data, meaning_text
from app.contracts import save_bytes
from app.services.settings.schema_summary import schema_facts
from app.system import paths
from app.system.settings import load_settings
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.question_vocabulary import question_vocabulary
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.unit_conversion import unit_words
from extraction.schema_files.checks import doubtful_units
from extraction.schema_files.native_format import load_schema


def schema_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("action", choices=("check", "show", "search", "concepts", "vocabulary"))
    parser.add_argument("file", type=Path, nargs="?", help="the schema (default: from the settings)")
    parser.add_argument("--rows", action="store_true", help="with check: list what each row is about")
    parser.add_argument("--find", default="", metavar="WORDS", help="with search or concepts: words of a name")
    parser.add_argument("--out", type=Path, metavar="FILE", help="with vocabulary: where to write it (vocabulary.json)")
    parser.set_defaults(function=schema)


def schema(arguments: argparse.Namespace, console: Console) -> int:
    if arguments.action == "concepts":
        return _print_concepts(arguments.find.casefold().split(), console)
    loaded = load_schema(schema_path(arguments, load_settings(paths.config_file()), "file"))
    if arguments.action == "vocabulary":
        out = arguments.out or Path("vocabulary.json")
        save_bytes(question_vocabulary(loaded), out)
        console.answer({"vocabulary": str(out), "rows": len(loaded.rows)}, f"{out}: {len(loaded.rows)} rows")
        return 0
    if arguments.action == "check":
        facts = schema_facts(loaded)
        summary: dict[str, Any] = {
            "id": loaded.id,
            "name": loaded.name,
            "version": loaded.version,
            "sha256": loaded.sha256,
        }
        summary |= {
            "language": loaded.language,
            "rows": facts.rows,
            "categories": facts.categories,
            "types": facts.kinds,
        }
        kinds = ", ".join(f"{kind} {count}" for kind, count in facts.kinds.items())
        doubts = [f"{one.what} {one.fix}" for one in doubtful_units(loaded.rows)]
        summary["warnings"] = doubts
        if not console.as_json:
            for doubt in doubts:
                console.note(f"Warning: {doubt}")
        summary["meaning"] = meaning_data(loaded, with_rows=arguments.rows)
        head = f"{loaded.name}: valid, {facts.rows} rows in {facts.categories} categories\n{kinds}"
        console.answer(summary, f"{head}\n\n{meaning_text(loaded, with_rows=arguments.rows)}")
        return 0
    wanted = arguments.find.casefold().split() if arguments.action == "search" else []
    found = [row for row in loaded.rows if all(word in _searched(row) for word in wanted)]
    _print(found, loaded, console)
    return 0 if found else 1


def _print_concepts(wanted: list[str], console: Console) -> int:
    """Prints the bedside concepts; returns 1 if none has the wanted words."""
    found = [
        concept
        for concept in concepts().values()
        if all(word in " ".join((concept.id, *concept.rows, *concept.options)).casefold() for word in wanted)
    ]
    data = [
        {"id": one.id, "rows": list(one.rows), "said": list(one.said)}
        | {"options": {name: list(forms) for name, forms in one.options.items()}}
        for one in found
    ]
    cells = [[one.id, ", ".join(one.rows), ", ".join(one.options)] for one in found]
    text = table(["concept", "rows that record it", "options"], cells, widest=60)
    console.answer(data, f"{text}\n{len(found)} of {len(concepts())} concepts")
    return 0 if found else 1


def _searched(row: Row) -> str:
    return " ".join([row.id, row.name, *row.synonyms, *chain.from_iterable(row.categories)]).casefold()


def _print(found: list[Row], loaded: Schema, console: Console) -> None:
    rows = [
        [
            row.id,
            row.name,
            " / ".join(row.category),
            row.value_type.value,
            unit_words(row.unit),
            ", ".join(row.option_names),
        ]
        for row in found
    ]
    data = [
        {"id": row.id, "name": row.name, "category": list(row.category), "type": row.value_type.value}
        | {"unit": row.unit, "options": list(row.option_names), "synonyms": list(row.synonyms)}
        for row in found
    ]
    text = table(["id", "row", "category", "type", "unit", "options"], rows, widest=48)
    console.answer(data, f"{text}\n{len(found)} of {len(loaded.rows)} rows")
