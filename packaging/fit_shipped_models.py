"""Makes the shipped models of a filler, and the adapter and the matcher of the embedder, from annotated cases:
`python packaging/fit_shipped_models.py --work DIR [--filler ID] [--by-schema] [--read N] [--only ...] [--also ...]`.

It reads the corpus (resources/corpus), whose cases have several schemas and authors. `--also` adds cases of many
authors, each of whom wrote one. `--by-schema` leaves whole schemas out and writes nothing but the figures; without it,
authors are left out, and the models of all are written. A run that was stopped continues from what it kept in `--work`.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import resources
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import read_cases
from extraction.confidence.learned_models import save_models
from extraction.estimators.statement_matcher import MATCHER_FILE
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.schema_files.native_format import load_schema
from fitting.corpus import CORPUS, corpus_cases
from fitting.statement_files import read_statements
from fitting.training import CaseSet, learn_for_any_schema, pool_corpus
from models.base.progress import Progress, ProgressMonitor, never_cancelled
from models.library.manifest import load_manifest
from models.library.registry import Registry

_SHIPPED = resources.FOLDER / "learned"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--filler", default="", help="its id (default: the default filler)")
    parser.add_argument("--by-schema", action="store_true", help="leave whole schemas out; write nothing")
    parser.add_argument("--read", type=int, metavar="N", help="how many cases of each author are read (default: all)")
    parser.add_argument("--only", nargs="*", default=[], help="files of the corpus, such as rehab.h11 (default: all)")
    parser.add_argument("--schemas", type=Path, action="append", default=[], help="folder of further schemas")
    parser.add_argument("--also", action="append", default=[], metavar="SCHEMA=CASES", help="cases of many authors")
    arguments = parser.parse_args()
    sets = [*corpus_cases(arguments.only, arguments.schemas), *map(_of_many, arguments.also)]
    files = sorted((CORPUS / "statements").glob("*.jsonl"))
    sentences = [one for file in files for one in read_statements(file, concepts())]
    settings = Settings(filler_model=arguments.filler)
    monitor = ProgressMonitor(_say, never_cancelled)
    registry = Registry(load_manifest(), paths.models_dir())
    with Inference(settings, registry) as inference:
        corpus = pool_corpus(
            sets, sentences, inference, settings, arguments.work, by_schema=arguments.by_schema, monitor=monitor
        )
        fitted = learn_for_any_schema(
            corpus, inference, settings, arguments.work, most_of_each=arguments.read, monitor=monitor
        )
        folder, embedder = (_SHIPPED / inference.models[role] for role in ("filler", "embedder"))
    learned = fitted.learned
    about = learned.about | {"schemas_sha256": sorted({one.schema.sha256 for one in sets})}
    if not arguments.by_schema:
        for place in (folder, embedder):
            place.mkdir(exist_ok=True)
        fitted.adapter.save(embedder)
        fitted.matcher.save(embedder / MATCHER_FILE)
        prior, acceptance = (replace(model, about=about) for model in (learned.prior, learned.acceptance))
        save_models(folder, replace(learned, prior=prior, acceptance=acceptance))
    print(json.dumps(about, indent=1))


def _of_many(named: str) -> CaseSet:
    schema, _, cases = named.partition("=")
    loaded = load_schema(Path(schema))
    return CaseSet(read_cases(Path(cases), loaded), loaded)


def _say(report: Progress) -> None:
    print(report.message, flush=True)


if __name__ == "__main__":
    main()
