"""`contracts`: builds contracts with a part of the reading left out, and compares them with the gold of the exports."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from app.cli.arguments import add_machine
from app.cli.console import Console, table
from app.contracts import save_bytes
from app.evaluation.papers.contract_ablation.conditions import CONDITIONS, Condition, build_under
from app.evaluation.papers.contract_ablation.gold import Gold, Share, compare, read_gold
from extraction.contract.errors import SourceError
from extraction.contract.gates import figures


def contract_ablation_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Build contracts with a part of the reading left out, and compare them with their gold."
    add_machine(parser)
    parser.add_argument(
        "exports", nargs="+", metavar="DIR=GOLD", help="a folder of exports, and the JSON file that says what is true"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write the figures as JSON")
    parser.set_defaults(function=contract_ablation)


def contract_ablation(arguments: argparse.Namespace, console: Console) -> None:
    measured = []
    for one in arguments.exports:
        folder, _, gold_file = one.rpartition("=")
        gold = read_gold(Path(gold_file))
        measured += [_measured(condition, Path(folder), gold) for condition in CONDITIONS]
    save_bytes((json.dumps(measured, indent=1) + "\n").encode(), arguments.out)
    heads = ["exports", "condition", "rows", *_KINDS, *_FIGURES, "seconds"]
    cells = [
        [
            one["exports"], one["condition"], str(one["rows"]), *(_words(one["shares"].get(kind)) for kind in _KINDS),
            *(_percent(one["figures"].get(name)) for name in _FIGURES), f"{one['seconds']:.1f}",
        ]
        for one in measured
    ]  # fmt: skip
    console.answer(measured, table(heads, cells))


_KINDS = ("keys", "links", "types", "units", "options")
_FIGURES = ("XSrcUtil", "SchUtil", "RelUse", "LinkVal", "ProvCom")


def _measured(condition: Condition, folder: Path, gold: Gold) -> dict[str, Any]:
    begun = time.monotonic()
    about = {"exports": folder.name, "condition": condition.name, "lacks": condition.lacks}
    try:
        contract = build_under(condition, folder).contract
    except SourceError as error:
        return about | {"rows": 0, "refused": error.what, "shares": {}, "figures": {}, "seconds": 0.0}
    return about | {
        "rows": len(contract.rows),
        "shares": {name: _data(share) for name, share in compare(contract, gold).items()},
        "figures": {one.name: one.value for one in figures(contract)},
        "seconds": round(time.monotonic() - begun, 2),
    }


def _data(share: Share) -> dict[str, Any]:
    counts = {"right": share.right, "found": share.found, "gold": share.gold}
    return counts | {"precision": share.precision, "recall": share.recall}


def _words(share: dict[str, Any] | None) -> str:
    """Precision and recall."""
    if share is None:
        return "-"
    return " / ".join("-" if part is None else f"{part:.2f}" for part in (share["precision"], share["recall"]))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"
