"""What each ingredient of the acceptance brings, on cases held out in turn:
`python -m tests.benchmarks.ingredients --schema SCHEMA --cases CASES.jsonl --work DIR --out FILE.json`.

The cases are read once, as `wardlight learn` does; then the same readings are fitted again and again, each time without
some of what is known about them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.adaptation.training import Gathered, binding_of, gather
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import read_cases
from extraction.confidence import acceptance_features
from extraction.learning.fit import CaseReadings, fit_acceptance
from extraction.schema_files.native_format import load_schema
from models.base.progress import Progress, ProgressMonitor, never_cancelled
from models.library.manifest import load_manifest
from models.library.registry import Registry

_EXEMPLARS = (
    "nearest_exemplar exemplar_vote exemplar_score frequency largest_vote value_vote value_nearest value_share"
).split()
_RIVALS = "outnamed outranked outmentioned rivals claimed".split()
_WORDS = (
    "name_words_said name_words_counted value_words_said option_words_said option_words_counted distance row_value_said"
).split()
_FILLER = "mentioned_logit permitted_log_mass value_log_probability rank log_probability lead claimed".split()
_WITHOUT = {
    "all": [],
    "without probes": ["probes"],
    "without exemplars": _EXEMPLARS,
    "without rivals": _RIVALS,
    "without words": _WORDS,
    "without the prior": ["prior_logit"],
    "without the filler's probabilities": _FILLER,
    "without filler and probes": [*_FILLER, "probes"],
    "the filler's probabilities alone": [name for name in acceptance_features.FEATURES if name not in _FILLER]
    + ["probes"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    schema = load_schema(arguments.schema)
    cases = read_cases(arguments.cases, schema)
    settings = Settings()
    with Inference(settings, Registry(load_manifest(), paths.models_dir())) as inference:
        found = gather(
            cases,
            schema,
            inference,
            settings,
            arguments.work,
            monitor=ProgressMonitor(_say, never_cancelled),
        )
        about = {"cases_sha256": cases.sha256, "bound_to": binding_of(inference, settings).to_json()}
    table: dict[str, Any] = {}
    for name, without in _WITHOUT.items():
        table[name] = _figures(found, without)
        print(f"{name}: {table[name]}", flush=True)
    arguments.out.write_text(json.dumps(about | {"cases": len(found.readings), "held_out": table}, indent=1) + "\n")


def _figures(found: Gathered, without: Sequence[str]) -> dict[str, Any]:
    """Held-out figures when these features, or the probes, are unknown."""
    columns = [place for place, name in enumerate(acceptance_features.FEATURES) if name in without]
    readings = [_blanked(one, columns, "probes" in without) for one in found.readings]
    return fit_acceptance(readings, found.folds, found.gold, for_any_schema=False).figures


def _blanked(one: CaseReadings, columns: Sequence[int], probes: bool) -> CaseReadings:
    features = one.features.copy()
    features[:, columns] = np.nan
    if probes:
        one = replace(one, states=one.states[:, :0], layers=one.layers[:0])
    return replace(one, features=features)


def _say(report: Progress) -> None:
    print(report.message, flush=True)


if __name__ == "__main__":
    main()
