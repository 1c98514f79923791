"""The annotated cases of the corpus (resources/corpus), by schema and hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import resources
from extraction.annotation.case_files import read_cases
from extraction.schema_files.native_format import load_schema
from fitting.training import CaseSet

CORPUS = resources.FOLDER / "corpus"


def corpus_cases(only: Sequence[str] = (), further: Sequence[Path] = ()) -> Iterator[CaseSet]:
    """The files of the corpus whose schema is there.

    Args:
        only: names of files, such as `rehab.h11`; all if empty.
        further: folders of further schemas.
    """
    folders = (CORPUS / "schemas", resources.FOLDER / "schemas", *further)
    for path in sorted((CORPUS / "cases").glob("*.jsonl")):
        name, _, author = path.stem.partition(".")
        schema = next((found for folder in folders if (found := folder / f"{name}.json").exists()), None)
        if only and path.stem not in only:
            continue
        if schema is None:
            print(f"{path.name} is left out: name the folder of {name}.json with --schemas", flush=True)
            continue
        loaded = load_schema(schema)
        yield CaseSet(read_cases(path, loaded), loaded, author)
