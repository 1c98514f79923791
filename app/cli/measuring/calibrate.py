"""`calibrate`: calibrates which proposals are lit on the hospital's own reviews."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from functools import cache, partial

from app.adaptation.recalibration import calibrate as calibrated_on
from app.adaptation.recalibration import todays_models
from app.cli.arguments import add_machine, add_schema
from app.cli.common import open_inference, schema_of, settings_of
from app.cli.console import Console, table
from app.lighting import lighting
from app.store import Store
from app.system import paths
from models.base.atomic_files import disk


def calibrate_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    parser.add_argument("--alpha", type=float, metavar="SHARE", help="share of errors that may stay unflagged")
    add_schema(parser, "that the dictations were filled with")
    parser.set_defaults(function=calibrate)


def calibrate(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    if arguments.alpha is not None:
        settings = replace(settings, alpha=arguments.alpha)
    schema, _ = schema_of(arguments, settings)
    with open_inference(settings) as inference:
        models = inference.models
    chosen = lighting(settings, schema, models)
    with Store(paths.database_file()) as store, disk(paths.calibrations_dir()):
        found = calibrated_on(store, schema, chosen, cache(partial(todays_models, settings, schema, models)))
    outlook = found.outlook
    rows = [
        ("proposals that will be flagged", f"{outlook.lit:.0%}"),
        ("correct proposals that will be flagged", f"{outlook.right_lit:.0%}"),
        ("unflagged proposals that will be wrong", f"{outlook.wrong_unlit:.0%}"),
    ]
    drift = ["The latest reviews contradicted what was promised before; from now on this calibration counts.", ""]
    again = [f"{found.weighed_again} of these dictations were weighed again by the current models."]
    lines = [
        *(drift if found.drifted else []),
        f"Calibrated on {found.values} proposed values of {found.dictations} reviewed dictations,",
        f"{found.wrong} of them wrong, to flag {1 - chosen.alpha:.0%} of the wrong ones.",
        *(again if found.weighed_again else []),
        "To be expected:",
        table(["figure", "share"], rows),
    ]
    console.answer(asdict(found) | {"file": str(found.file), "outlook": asdict(outlook)}, "\n".join(lines))
