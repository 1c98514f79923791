"""`gui`: opens the window in a process of its own, so that the command line itself never imports Qt."""

from __future__ import annotations

import argparse
import subprocess
import sys

from app.cli.arguments import add_common
from app.cli.console import Console


def gui_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(function=gui)


def gui(arguments: argparse.Namespace, console: Console) -> int:
    return subprocess.run([sys.executable, "-P", "-m", "ui"], check=False).returncode
