"""The commands of this room: `python -m app.evaluation.papers COMMAND`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from app.cli import run
from app.evaluation.papers.ablation.command import ablation_arguments, retrieval_arguments
from app.evaluation.papers.contract_ablation.command import contract_ablation_arguments
from app.evaluation.papers.error_detection.command import confidence_arguments

_COMMANDS = (
    ("ablation", "other ways of reducing and filling", ablation_arguments),
    ("retrieval", "which rows are found, without filling them", retrieval_arguments),
    ("contracts", "how exports are read with a part of the reading left out", contract_ablation_arguments),
    ("confidence", "how well wrong values are found", confidence_arguments),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m app.evaluation.papers", description="Compare the methods of the papers with Wardlight's own."
    )
    choices = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, about, add_arguments in _COMMANDS:
        add_arguments(choices.add_parser(name, help=about))
    return run(parser, argv)


if __name__ == "__main__":
    sys.exit(main())
