"""The command line: `wardlight COMMAND`. Each command's module is imported only when it runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from app.cli.charting.patient_arguments import patients_arguments
from app.cli.console import Console, exit_code
from app.system import paths
from extraction.language.vocabulary.loader import use_ward_folder
from models.errors import Bug, Cancelled, WardlightError

# Exit codes: 0 done; 1 done, and the answer is no; 2 input; 3 machine, models or storage; 70 a defect; 130 stopped.
_DEFECT = 70
_STOPPED = 130
_SIGNED_BY = ("--signed-by", "--reviewer")  # the second is how it was called once


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; no error leaves as a traceback."""
    arguments = _parser().parse_args(argv)
    console = Console(as_json=getattr(arguments, "json", False), verbose=arguments.verbose)
    use_ward_folder(paths.language_dir())
    try:
        command = import_module(f"app.cli.{arguments.module}")
        code = int(getattr(command, arguments.function)(arguments, console) or 0)
        sys.stdout.flush()
        return code
    except (KeyboardInterrupt, Cancelled):
        console.end_progress()
        print("Stopped.", file=sys.stderr)
        return _STOPPED
    except BrokenPipeError:
        # The reader of our output has gone; Python would complain again while it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except WardlightError as error:
        if isinstance(error, Bug):
            return _report_bug(console, error, error.next_step)
        console.error(error)
        return exit_code(error)
    except Exception as error:  # noqa: BLE001 - a defect is reported as one, never as the user's mistake
        import traceback

        return _report_bug(console, Bug(f"{type(error).__name__}: {error}"), traceback.format_exc())


def _report_bug(console: Console, bug: Bug, details: str) -> int:
    import datetime as dt

    folder = paths.data_dir() / "logs"
    name = f"bug-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(details, encoding="utf-8")
        where = f"Please report it with the file {folder / name}."
    except OSError:
        where = f"Please report it with these lines:\n{details}"
    console.error(Bug(f"Wardlight has a defect: {bug.what}.", where))
    return _DEFECT


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--verbose", action="store_true", help="say more on standard error")
    machine = argparse.ArgumentParser(add_help=False, parents=[common])
    machine.add_argument("--json", action="store_true", help="print JSON for machines, nothing else")
    tuning = argparse.ArgumentParser(add_help=False)
    tuning.add_argument("--strategy", choices=("rowwise", "json"), help="how rows are filled")
    tuning.add_argument("--segmentation", choices=("sentence", "llm"), help="how the transcript is cut")
    tuning.add_argument("--top-k", type=int, help="rows kept for each segment")
    tuning.add_argument("--threads", type=int, help="processor threads")
    for role in ("speech", "filler", "embedder"):
        tuning.add_argument(f"--{role}-model", metavar="ID", help=f"{role} model, by its id")
    patient = argparse.ArgumentParser(add_help=False)
    patient.add_argument("--patient", default="Unassigned", metavar="NAME", help="name or alias of the patient")
    patient.add_argument("--bed", default="", help="bed of the patient")
    patient.add_argument("--mrn", default="", help="record number of the patient")
    patient.add_argument("--born", default="", metavar="DATE", help="date of birth of the patient, such as 1950-02-03")

    parser = argparse.ArgumentParser(
        prog="wardlight", description="From a spoken dictation to a confirmed flowsheet, without a network."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(
        name: str, text: str, module: str, function: str, *parents: argparse.ArgumentParser
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text, parents=list(parents))
        made.set_defaults(module=module, function=function)
        return made

    demo = command("demo", "run the sample dictation and compare with its gold values", "demo", "demo", machine, tuning)
    demo.add_argument("--out", type=Path, default=Path("out"), help="folder for the exported files (default: out)")

    one = command("transcribe", "turn a recording into text", "charting.extract", "transcribe", machine, tuning)
    one.add_argument("file", type=Path, help="a recording")
    _schema_argument(one, "whose terms the speech model should expect")

    extract = command("extract", "fill a schema from a text file", "charting.extract", "extract", machine, tuning)
    extract.add_argument("--text", type=Path, required=True, metavar="FILE", help="the text")
    _schema_argument(extract, "to fill")

    run = command(
        "run", "the whole job: recording or text to proposals", "charting.extract", "run", machine, tuning, patient
    )
    run.add_argument("file", type=Path, nargs="?", help="a recording, or a .txt file in place of one")
    run.add_argument("--retry", type=int, metavar="NUMBER", help="a kept dictation, from its last finished stage on")
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for transcript and proposals")
    run.add_argument(
        "--recorded-at",
        type=_moment,
        metavar="TIME",
        help="when it was recorded, as 2026-01-31T14:05 (default: what the file says)",
    )
    run.add_argument("--no-store", action="store_true", help="do not keep the dictation in the database")
    _schema_argument(run, "to fill")

    review = command(
        "review", "confirm, correct or reject proposals in the terminal", "charting.review", "review", common
    )
    review.add_argument("dictation", type=int, nargs="?", help="number of the dictation (default: the newest)")
    review.add_argument(*_SIGNED_BY, metavar="NAME", help="who signs (default: from the settings)")

    export = command(
        "export", "write the confirmed values of a dictation", "charting.review", "export_dictation", machine
    )
    export.add_argument("dictation", type=int, nargs="?", help="number of the dictation (default: the newest)")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the files")
    export.add_argument("--format", action="append", metavar="NAME", help="json or csv; may be repeated")

    file = command("file", "file a dictation that was reviewed to the end", "charting.review", "file", machine)
    file.add_argument("--out", type=Path, metavar="DIR", help="folder for the files (default: from the settings)")
    file.add_argument("--no-values", action="store_true", help="sign a dictation in which no values were found")
    reopen = command("reopen", "let a filed dictation be reviewed again", "charting.review", "reopen", machine)
    for filing in (file, reopen):
        filing.add_argument("dictation", type=int, nargs="?", help="number of the dictation (default: the newest)")
        filing.add_argument(*_SIGNED_BY, metavar="NAME", help="who signs (default: from the settings)")

    export.add_argument(*_SIGNED_BY, metavar="NAME", help="who signs --same-patient (default: from the settings)")
    for one in (review, export, file):
        one.add_argument(
            "--same-patient",
            action="store_true",
            help="it is about its patient, though another bed or name is said in it; this is kept on record",
        )

    listed = command("dictations", "the dictations that are kept", "charting.dictations", "dictations", machine)
    listed.add_argument("--deleted", action="store_true", help="those that were deleted and can be restored")
    move = command("move", "give a dictation to another patient", "charting.dictations", "move", machine)
    rename = command("rename", "give a dictation a title", "charting.dictations", "rename", machine)
    delete = command("delete", "delete a dictation", "charting.dictations", "delete", machine)
    restore = command("restore", "bring a deleted dictation back", "charting.dictations", "restore", machine)
    for whole in (move, rename, delete, restore):
        whole.add_argument("dictation", type=int, help="number of the dictation")
        whole.add_argument(*_SIGNED_BY, metavar="NAME", help="who signs (default: from the settings)")
    move.add_argument("--patient", required=True, metavar="NAME", help="name or alias of the patient it is about")
    move.add_argument("--bed", default="", help="bed of that patient, where several have the name")
    move.add_argument("--mrn", default="", help="record number of that patient, where several have the name")
    move.add_argument("--reason", default="wrong patient", metavar="TEXT", help="why (default: wrong patient)")
    rename.add_argument("title", help="the title; an empty one gives the former name back")
    delete.add_argument("--reason", required=True, metavar="TEXT", help="why, for example: duplicate")

    ward = command(
        "patients", "list, add, edit, discharge or import patients", "charting.patients", "patients", machine
    )
    patients_arguments(ward, machine)

    models = command("models", "list, install, verify or remove models", "models", "models", machine)
    models.add_argument("action", choices=("list", "install", "verify", "remove"))
    models.add_argument("ids", nargs="*", metavar="ID", help="which (default: the default of each role)")
    models.add_argument("--from", dest="source", type=Path, metavar="DIR", help="take the files from a folder or stick")
    models.add_argument("--all", action="store_true", help="every model of the manifest")

    schema = command("schema", "check, show or search a flowsheet schema", "schema", "schema", machine)
    schema.add_argument("action", choices=("check", "show", "search"))
    schema.add_argument("file", type=Path, nargs="?", help="the schema (default: from the settings)")
    schema.add_argument("--rows", action="store_true", help="with check: list what each row is about")
    schema.add_argument("--find", default="", metavar="WORDS", help="with search: words of a name, synonym or category")

    evaluate = command(
        "eval", "prove the extraction on annotated cases", "measuring.evaluate", "evaluate", machine, tuning
    )
    evaluate.add_argument("--cases", type=Path, metavar="FILE", help="annotated cases, one JSON object a line")
    evaluate.add_argument("--out", type=Path, metavar="DIR", help="folder for predictions, metrics and report")
    evaluate.add_argument("--examples", metavar="FILE", help="annotated cases to learn from first")
    evaluate.add_argument("--learned", metavar="DIR", help="what wardlight learn made of them before")
    evaluate.add_argument("--repeat", type=int, default=1, metavar="N", help="run every case that often (default: 1)")
    evaluate.add_argument("--resume", action="store_true", help="continue an evaluation that was stopped")
    evaluate.add_argument("--ablation", choices=("short", "long"), help="run other ways of reducing and filling beside")
    evaluate.add_argument("--most", type=int, metavar="N", help="with --ablation: the first N cases (default: 3 or 5)")
    evaluate.add_argument(
        "--condition", action="append", metavar="NAME", help="with --ablation: this condition alone; may be repeated"
    )
    _schema_argument(evaluate, "to fill")
    of_evaluation = evaluate.add_subparsers(metavar="[compare | retrieval | confidence | utterances]")
    compare = of_evaluation.add_parser(
        "compare", parents=[machine], help="two finished evaluations", description="Compare two finished evaluations."
    )
    compare.set_defaults(module="measuring.evaluate", function="compare")
    compare.add_argument("a", type=Path, metavar="A", help="folder of the one")
    compare.add_argument("b", type=Path, metavar="B", help="folder of the other")
    retrieval = of_evaluation.add_parser(
        "retrieval",
        parents=[machine, tuning],
        help="which rows are found, without filling them",
        description="Measure which rows the ways of ranking them find, without filling any.",
    )
    retrieval.set_defaults(module="measuring.ablation", function="retrieval")
    retrieval.add_argument("--cases", type=Path, required=True, metavar="FILE", help="annotated cases")
    retrieval.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for table and plot")
    retrieval.add_argument("--examples", metavar="FILE", help="annotated cases whose sentences are searched as well")
    retrieval.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    _schema_argument(retrieval, "to search")
    confidence = of_evaluation.add_parser(
        "confidence",
        parents=[machine, tuning],
        help="how well wrong values are found",
        description="Measure how well wrong values are found by several methods, calibrated on annotated examples.",
    )
    confidence.set_defaults(module="measuring.confidence", function="confidence")
    confidence.add_argument(
        "--examples", type=Path, required=True, metavar="FILE", help="annotated cases to learn from"
    )
    confidence.add_argument("--cases", type=Path, required=True, metavar="FILE", help="other annotated cases")
    confidence.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for figures and report")
    confidence.add_argument(
        "--alpha", type=float, nargs="+", metavar="SHARE", help="shares of the wrong values that may stay unlit"
    )
    confidence.add_argument(
        "--weight", type=float, nargs="+", metavar="WEIGHT", help="how much it counts that layers disagree"
    )
    confidence.add_argument("--seeds", type=int, metavar="N", help="how often smaller sizes are drawn (default: 5)")
    _schema_argument(confidence, "that the cases were annotated with")

    utterances = of_evaluation.add_parser(
        "utterances",
        parents=[machine, tuning],
        help="short utterances, by what makes them hard",
        description="Run the extraction on short utterances and say which are charted right, by what makes them hard.",
    )
    utterances.set_defaults(module="measuring.challenge", function="utterances")
    utterances.add_argument("--cases", type=Path, metavar="DIR", help="folder of <phenomenon>.jsonl (default: our own)")
    utterances.add_argument("--only", action="append", default=[], metavar="NAME", help="this one; may be repeated")
    utterances.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for figures and report")
    utterances.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    utterances.add_argument(
        "--schema", type=Path, metavar="FILE", help="the schema of the cases (default: the demonstration schema)"
    )

    learn = command("learn", "learn from a hospital's annotated cases", "measuring.learn", "learn", machine, tuning)
    learn.add_argument("--examples", type=Path, metavar="FILE", help="annotated cases to learn from")
    learn.add_argument("--out", type=Path, metavar="DIR", help="folder for what is learned")
    learn.add_argument(
        "--check", type=Path, metavar="DIR", help="learn nothing; say whether what was learned can still be used"
    )
    learn.add_argument(
        "--answers",
        type=Path,
        metavar="DIR",
        help="keep the language model's answers in this folder, so that learning again takes minutes",
    )
    _schema_argument(learn, "that the cases were annotated with")

    examples = command(
        "examples", "make examples to learn from out of reviewed dictations", "measuring.examples", "examples", machine
    )
    examples.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the new file, one JSON object a line"
    )
    _schema_argument(examples, "that the dictations were filled with")

    calibrate = command(
        "calibrate", "decide what is lit after this hospital's reviews", "measuring.calibrate", "calibrate", machine
    )
    calibrate.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    calibrate.add_argument("--alpha", type=float, metavar="SHARE", help="share of the wrong values that may stay unlit")
    _schema_argument(calibrate, "that the dictations were filled with")

    bench = command("bench", "measure how fast this machine is", "measuring.bench", "live", common)
    of_bench = bench.add_subparsers(metavar="live", required=True)
    live = of_bench.add_parser(
        "live",
        parents=[machine, tuning],
        help="how far behind the speaker words and values come",
        description="Play recordings as a microphone would; measure how far behind the speaker words and values come.",
    )
    live.add_argument("--audio", type=Path, nargs="+", required=True, metavar="FILE", help="recordings of one speaker")
    live.add_argument("--repeat", type=int, default=1, metavar="N", help="play each that often (default: 1)")
    _schema_argument(live, "to fill")

    command("gui", "open the window", "gui", "gui", common)
    command("doctor", "what is installed, which devices, what is missing", "doctor", "doctor", machine)
    return parser


def _moment(text: str) -> datetime:
    """A time in the past, with the time zone of this computer where it names none."""
    try:
        at = datetime.fromisoformat(text).astimezone()
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no date and time such as 2026-01-31T14:05") from error
    if at > datetime.now(UTC):
        raise argparse.ArgumentTypeError(f"{text} is still to come")
    return at


def _schema_argument(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--schema", type=Path, metavar="FILE", help=f"the flowsheet schema {what} (default: from the settings)"
    )
