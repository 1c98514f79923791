"""How right the proposals of an evaluation are, and its lights, where each one that differs from the gold was judged:
`python -m tests.benchmarks.judged DIR --schema FILE --cases FILE --judgments FILE`.

A gold that leaves out much of what was said counts right values as wrong. A judgment says of a value that the gold does
not hold whether the text bears it: {"case": id, "row_id": id, "value": as compared, "label": one of LABELS}.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from app.evaluation.folder import CaseRun
from extraction.annotation.case_files import Case, read_cases
from extraction.annotation.json_lines import decoded, field_of, json_lines
from extraction.annotation.scoring import Item, all_items, items
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError

RIGHT = ("supported", "equivalent")
LABELS = (*RIGHT, "stretch", "wrong_value", "wrong_row", "hallucinated", "status")
SHARES = (0.1, 0.2, 0.3)
_FORM = 'A line is {"case": ..., "row_id": ..., "value": ..., "label": ...}.'

Judgments = Mapping[tuple[str, Item], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evaluation", type=Path, metavar="DIR", help="a finished evaluation of the cases")
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--judgments", type=Path, required=True)
    arguments = parser.parse_args()
    cases = read_cases(arguments.cases, load_schema(arguments.schema)).cases
    _, lines = json_lines(arguments.evaluation / "cases.jsonl")
    runs = [CaseRun.from_json(json.loads(line)) for _, line in lines]
    print(json.dumps(judged(cases, runs, read_judgments(arguments.judgments)), indent=1))


def read_judgments(path: Path) -> Judgments:
    """Reads judged values; raises InputError for a line that cannot be used."""
    found = {}
    for number, line in json_lines(path)[1]:
        where = f"{path.name}, line {number}"
        data = decoded(line, where, _FORM)
        case, row_id, value, label = (
            field_of(data, name, (str,), where, _FORM) for name in ("case", "row_id", "value", "label")
        )
        if label not in LABELS:
            raise InputError(f'{where}: there is no label "{label}".', f"Use one of {', '.join(LABELS)}.")
        found[case, (row_id, value)] = label
    return found


def judged(cases: Sequence[Case], runs: Iterable[CaseRun], judgments: Judgments) -> dict[str, Any]:
    """Precision by the gold and by the judgments, and what the lights and the confidence tell of wrong proposals.

    What was neither in the gold nor judged counts as wrong, and is counted apart.
    """
    gold = {case.id: all_items((one.row_id, one.value) for one in case.observations) for case in cases}
    by_gold, wrong, confidence, lit, labels = [], [], [], [], Counter[str]()
    for run in runs:
        for value in run.values:
            proposed = items(value.row_id, value.value)
            others = [judgments.get((run.id, one), "not judged") for one in proposed if one not in gold[run.id]]
            labels.update(others)
            by_gold.append(not others)
            wrong.append(any(label not in RIGHT for label in others))
            confidence.append(value.confidence)
            lit.append(value.lit)
    if not wrong:
        raise InputError("The evaluation has no proposals.", "Evaluate the cases first.")
    return {
        "proposals": len(wrong),
        "precision_by_gold": round(float(np.mean(by_gold)), 4),
        "precision_judged": round(1 - float(np.mean(wrong)), 4),
        "labels": dict(labels.most_common()),
        **_lights(np.array(wrong), np.array(confidence), np.array(lit)),
    }


def _lights(wrong: np.ndarray, confidence: np.ndarray, lit: np.ndarray) -> dict[str, Any]:
    """All arrays have the shape (proposals,)."""
    least_first = wrong[np.argsort(confidence, kind="stable")]
    unlit = {share: least_first[round(share * len(wrong)) :] for share in SHARES}
    return {
        "roc_auc": round(float(roc_auc_score(wrong, -confidence)), 4) if 0 < wrong.sum() < len(wrong) else None,
        "unlit_wrong_at": {str(share): round(float(rest.mean()), 4) for share, rest in unlit.items()},
        "lit": round(float(lit.mean()), 4),
        "unlit_wrong": round(float(wrong[~lit].mean()), 4) if not lit.all() else None,
    }


if __name__ == "__main__":
    main()
