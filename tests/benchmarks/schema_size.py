"""Which required rows are found as a schema grows (SchemaRAG, Table 12):
`python -m tests.benchmarks.schema_size --schema FILE --cases FILE --dictionary CSV --out FILE.json`.

Rows of a dictionary of items, such as MIMIC's d_items.csv, are added to the schema up to each size; rows of its own, or
with names of its own, are not. Recall is of the rows that the cases require, among the likeliest of a dictation and
among those that would be asked. Only with `--read` the language model takes part: what is proposed for the first cases.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.evaluation.run import run_text
from app.inference import tasks
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import Case, read_cases
from extraction.annotation.grading import Grader, summary
from extraction.confidence.learned_models import shipped
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.language.sentences import Segment, segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate
from extraction.retrieval.reduction import weigh, worth_asking
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED, never_cancelled
from models.library.manifest import load_manifest
from models.library.registry import Registry

SIZES = (200, 700, 1300, 4000)
DEPTHS = (30, 60, 120)
_SEED = 20260101
_TYPES = {"Numeric": ValueType.NUMERIC, "Numeric with tag": ValueType.NUMERIC, "Checkbox": ValueType.YES_NO}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--dictionary", type=Path, required=True, help="CSV with itemid, label, category, param_type")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument(
        "--read", type=int, default=0, metavar="N", help="how many cases the language model reads; 0 if left out"
    )
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    schema = load_schema(arguments.schema)
    cases, settings = read_cases(arguments.cases, schema), Settings()
    found: dict[str, Any] = {"cases": len(cases.cases), "cases_sha256": cases.sha256, "schema": schema.name}
    with Inference(settings, Registry(load_manifest(), paths.models_dir())) as inference:
        prior = shipped(inference.models["filler"]).prior
        for size in (one for one in arguments.sizes if one >= len(schema.rows)):
            grown = with_rows(schema, arguments.dictionary, size)
            segmented = [segment(case.text) for case in cases.cases]
            pooled = inference.call(
                "embedder",
                tasks.pool_cases,
                NOT_MONITORED,
                schema=grown,
                segmented=segmented,
                book=None,
                top_k=settings.top_k,
                index_folder=paths.cache_dir() / "indexes",
                vectors=None,
            )
            each = [
                of_case(case, grown, segments, weigh(grown, segments, candidates, prior), prior.keep_from)
                for case, segments, candidates in zip(cases.cases, segmented, pooled, strict=True)
            ]
            found[str(len(grown.rows))] = line = summed(each)
            if arguments.read:
                line |= proposed(cases.cases[: arguments.read], grown, inference)
            print(len(grown.rows), line, flush=True)
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def with_rows(schema: Schema, dictionary: Path, size: int) -> Schema:
    """The schema with so many rows of the dictionary, drawn at random, that it has `size`; all of them if too few."""
    known = {name.casefold() for row in schema.rows for name in (row.name, *row.synonyms)}
    with dictionary.open(encoding="utf-8", newline="") as stream:
        items = [one for one in csv.DictReader(stream) if one["label"].strip().casefold() not in known]
    drawn = random.Random(_SEED).sample(items, min(size - len(schema.rows), len(items)))  # no secret
    return replace(schema, rows=(*schema.rows, *map(_row, drawn)), sha256=f"{size:064d}")


def _row(item: dict[str, str]) -> Row:
    kind = _TYPES.get(item["param_type"], ValueType.TEXT)
    return Row(f"item.{item['itemid']}", item["label"].strip(), kind, (item["category"] or "Other",))


def of_case(
    case: Case, schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], keep_from: float
) -> dict[str, float]:
    """How many rows are required, in the pool, among the likeliest, and asked; and how many are asked."""
    required = {schema.row(one.row_id).unit_of or one.row_id for one in case.observations}
    likeliest = [one.row_id for one in sorted(weighed, key=lambda one: -one.prior)]
    asked = [one.row_id for one in worth_asking(schema, segments, weighed, keep_from).candidates]
    return {
        "required": len(required),
        "pool": len(required & set(likeliest)),
        **{f"top_{depth}": len(required & set(likeliest[:depth])) for depth in DEPTHS},
        "asked": len(required & set(asked)),
        "rows_asked": len(asked),
    }


def summed(each: Sequence[dict[str, float]]) -> dict[str, float]:
    """Shares of all required rows, and the mean number of rows asked."""
    total = {name: sum(one[name] for one in each) for name in each[0]}
    shares = {
        name: round(total[name] / total["required"], 4) for name in total if name not in ("required", "rows_asked")
    }
    return {"required": total["required"]} | shares | {"rows_asked": round(total["rows_asked"] / len(each), 1)}


def proposed(cases: Sequence[Case], schema: Schema, inference: Inference) -> dict[str, float]:
    """Recall, precision and their harmonic mean of what is proposed for graded cases."""
    grader, grades = Grader(schema), []
    for case in cases:
        context = EncounterContext(case.dictated_at)
        read = run_text(case.id, case.text, schema, inference, never_cancelled, context)
        grades.append(grader.grade(case, [(value.row_id, value.value) for value in read.values]))
    found = summary(grades, schema)
    recall, precision = found["recall"], found["precision"]
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return {"read": len(cases), "recall": recall, "precision": precision, "f1": round(f1, 4)}


if __name__ == "__main__":
    main()
