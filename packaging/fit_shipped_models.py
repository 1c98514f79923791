"""Makes the shipped models of a filler:
`python packaging/fit_shipped_models.py --schema SCHEMA --cases CASES.jsonl --work DIR [--filler ID]`.

They are what `wardlight learn` fits without exemplars: their features name no row and no hospital, so that they carry
over to other schemas. A run that was stopped goes on where it was, from what it kept in `--work`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from app.adaptation.training import learn
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import read_cases
from extraction.confidence.learned_models import save_models
from extraction.contract.native_format import load_schema
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.progress import Progress, Watch, never_cancelled

_SHIPPED = Path(__file__).parents[1] / "resources" / "learned"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--filler", default="", help="its id (default: the default filler)")
    arguments = parser.parse_args()
    schema = load_schema(arguments.schema)
    settings = Settings(filler_model=arguments.filler)
    with Inference(settings, Registry(load_manifest(), paths.models_dir())) as inference:
        learned = learn(
            read_cases(arguments.cases, schema),
            schema,
            inference,
            settings,
            arguments.work,
            with_exemplars=False,
            watch=Watch(_say, never_cancelled),
        )
        about = learned.about | {"schema_sha256": schema.sha256}
        folder = _SHIPPED / inference.models["filler"]
    folder.mkdir(exist_ok=True)
    prior, acceptance = (replace(model, about=about) for model in (learned.prior, learned.acceptance))
    save_models(folder, replace(learned, prior=prior, acceptance=acceptance))
    print(json.dumps(about, indent=1))


def _say(report: Progress) -> None:
    print(report.message, flush=True)


if __name__ == "__main__":
    main()
