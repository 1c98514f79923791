"""Arguments shared by several commands."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_common(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of every command."""
    parser.add_argument("--verbose", action="store_true", help="say more on standard error")


def add_machine(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of commands that can print JSON."""
    add_common(parser)
    parser.add_argument("--json", action="store_true", help="print JSON for machines, nothing else")


def add_tuning(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that override settings for one run."""
    parser.add_argument("--top-k", type=int, help="rows kept for each segment")
    parser.add_argument("--threads", type=int, help="processor threads")
    for role in ("speech", "filler", "embedder"):
        parser.add_argument(f"--{role}-model", metavar="ID", help=f"{role} model, by its id")


def add_patient(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that identify the patient of a dictation."""
    parser.add_argument("--patient", default="Unassigned", metavar="NAME", help="name or alias of the patient")
    parser.add_argument("--bed", default="", help="bed of the patient")
    parser.add_argument("--mrn", default="", help="record number of the patient")
    parser.add_argument("--born", default="", metavar="DATE", help="date of birth of the patient, such as 1950-02-03")


def add_signer(parser: argparse.ArgumentParser, what: str = "who signs") -> None:
    parser.add_argument("--signed-by", metavar="NAME", help=f"{what} (default: from the settings)")


def add_schema(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--schema", type=Path, metavar="FILE", help=f"the flowsheet schema {what} (default: from the settings)"
    )
