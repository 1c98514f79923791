"""The command line, `wardlight COMMAND`. A command's module is imported only when that command is used."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from app.cli.command import Command, add_commands
from app.cli.console import Console, exit_code
from app.system import paths
from extraction.language.vocabulary.loader import use_ward_folder
from models.base.errors import Bug, Cancelled, as_bug

COMMANDS = (
    Command("demo", "run the sample dictation and compare with its gold values", "demo"),
    Command("transcribe", "turn a recording into text", "charting.extract"),
    Command("extract", "fill a schema from a text file", "charting.extract"),
    Command("run", "the whole job: recording or text to proposals", "charting.extract"),
    Command("review", "confirm, correct or reject proposals in the terminal", "charting.review"),
    Command("export", "write the confirmed values of a dictation", "charting.review"),
    Command("file", "file a fully reviewed dictation", "charting.review"),
    Command("reopen", "let a filed dictation be reviewed again", "charting.review"),
    Command("dictations", "the dictations that are kept", "charting.dictations"),
    Command("missing", "rows that a dictation lacks before it is filed", "charting.missing"),
    Command("handover", "a patient's or the ward's handover, printed or as text", "charting.handover"),
    Command("note", "a dictation's confirmed values in sentences", "charting.note"),
    Command("move", "give a dictation to another patient", "charting.dictations"),
    Command("rename", "give a dictation a title", "charting.dictations"),
    Command("delete", "delete a dictation", "charting.dictations"),
    Command("restore", "restore a deleted dictation", "charting.dictations"),
    Command("batch", "read a backlog of dictations with several processes", "backlog.batch"),
    Command("discover", "what dictations say that the flowsheet has no row for", "backlog.discover"),
    Command("ask", "answer a question about the ward from what is charted", "charting.ask"),
    Command("outbox", "what the record system is told, and what became of it", "charting.outbox"),
    Command("patients", "list, add, edit, discharge or import patients", "charting.patients"),
    Command("models", "list, install, verify or remove models", "models"),
    Command("schema", "check, show or search a flowsheet schema", "schema"),
    Command("contract", "make a flowsheet schema from a record system's exports", "contract"),
    Command("eval", "measure the extraction on annotated cases", "measuring.evaluate"),
    Command("learn", "learn from a hospital's annotated cases", "measuring.learn"),
    Command("examples", "turn reviewed dictations into examples to learn from", "measuring.examples"),
    Command("calibrate", "calibrate flags on this hospital's reviews", "measuring.calibrate"),
    Command("bench", "measure how fast this machine is", "measuring.bench"),
    Command("gui", "open the window", "gui"),
    Command("doctor", "what is installed, which devices, what is missing", "doctor"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; errors are never shown as tracebacks."""
    return run(_parser(), argv)


def run(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """As `main`, for the commands of this parser."""
    console = Console()
    use_ward_folder(paths.language_dir())
    try:
        arguments = parser.parse_args(argv)
        console = Console(as_json=getattr(arguments, "json", False), verbose=arguments.verbose)
        code = int(arguments.function(arguments, console) or 0)
        sys.stdout.flush()
        return code
    except (KeyboardInterrupt, Cancelled) as stopped:
        console.end_progress()
        print("Stopped.", file=sys.stderr)
        return exit_code(stopped)
    except BrokenPipeError:
        # The reader has closed the pipe; without this, Python would raise again when it flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - a defect is reported as one, never as the user's mistake
        known = as_bug(error)
        if isinstance(known, Bug):
            return _report_bug(console, known)
        console.error(known)
        return exit_code(known)


def _report_bug(console: Console, bug: Bug) -> int:
    from datetime import UTC, datetime

    folder = paths.data_dir() / "logs"
    name = f"bug-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(bug.details, encoding="utf-8")
        where = f"Please report it with the file {folder / name}."
    except OSError:
        where = f"Please report it with these lines:\n{bug.details}"
    console.error(bug.reworded(bug.what, where))
    return exit_code(bug)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wardlight", description="From a spoken dictation to a confirmed flowsheet, without a network."
    )
    add_commands(parser, COMMANDS, "COMMAND", required=True)
    return parser
