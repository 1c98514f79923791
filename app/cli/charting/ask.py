"""`ask`: answers questions about the ward from what is charted."""

from __future__ import annotations

import argparse
import getpass
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.asking.answer import Answer, Kind, Line
from app.cli.arguments import add_machine, add_schema, add_signer
from app.cli.charting.signing import signature_of
from app.cli.common import schema_of, settings_of
from app.cli.console import Console, table
from app.services.asking.jobs import Asked
from app.store import Store
from app.system import paths
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError


def ask_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_signer(parser, "who asks; it is logged")
    parser.add_argument("question", nargs="?", help="such as: urine below 30 mL/h since midnight")
    parser.add_argument("--all", type=Path, metavar="FILE", help="the questions of a file, one a line")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the answer with its sources (.csv or .pdf), too"
    )
    add_schema(parser, "whose rows can be asked for")
    parser.set_defaults(function=ask)


def ask(arguments: argparse.Namespace, console: Console) -> None:
    """Answers one question, or each of a file."""
    from app.services.asking.answering import Asking
    from app.services.asking.exports import save_answer

    if (arguments.question is None) == (arguments.all is None):
        raise InputError("Nothing is asked.", "Give a question, or a file of questions with --all FILE.")
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    questions = [arguments.question] if arguments.all is None else _questions(arguments.all)
    if arguments.out and len(questions) > 1:
        raise InputError("--out takes the answer of one question.", "Ask one, or leave it out.")
    with Store(paths.database_file()) as store:
        known: dict[int, Schema] = {}

        def schema_of_version(version: int) -> Schema:
            if version not in known:
                known[version] = parse_schema(store.schemas.content(version), f"schema version {version}")
            return known[version]

        asked_by = _asker(store, arguments, settings)
        asking = Asking(store, schema, settings, schema_of_version)
        answers = [asking.ask(question, asked_by) for question in questions]
        if arguments.out:
            save_answer(answers[0], arguments.out, store.questions, schema)
    told = "\n\n".join(_told(one) for one in answers)
    facts = [_facts(one) for one in answers]
    console.answer(facts if arguments.all else facts[0], told)


def _asker(store: Store, arguments: argparse.Namespace, settings: Settings) -> str:
    """Who asks: who signs, or else the user of the computer, because asking changes no chart."""
    return signature_of(store, arguments) if arguments.signed_by or settings.reviewer.strip() else getpass.getuser()


def _questions(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", "Check the path.") from error
    return [line.strip() for line in lines if line.strip()]


def _told(asked: Asked) -> str:
    answer = asked.answer
    parts = [asked.understood.question, answer.head, *answer.arithmetic]
    for one in (answer,) if answer.lines or not answer.parts else answer.parts:
        if one.lines and one.kind is not Kind.QUOTES:
            titles = [f"{column.title} ({column.unit})" if column.unit else column.title for column in one.columns]
            parts.append(table(["bed", "patient", *titles, "time"], [_shown(line) for line in one.lines]))
    parts += [f"{one.bed} {one.patient}: {one.text}".strip() for one in answer.quotes]
    if answer.not_charted:
        parts.append("Not charted:")
        parts += [
            f"  {one.bed} {one.patient}: {one.measure}, {_last(one.last_text, one.last)}" for one in answer.not_charted
        ]
    if asked.understood.ignored:
        parts.append(f"Not used of the question: {', '.join(asked.understood.ignored)}")
    return "\n".join(parts)


def _shown(line: Line) -> list[str]:
    at = line.at or max((cell.at for cell in line.cells if cell.at), default=None)
    cells = [f"{cell.text}{' (flagged)' * cell.flagged}" for cell in line.cells]
    return [line.bed, line.patient, *cells, f"{at:%Y-%m-%d %H:%M}" if at else ""]


def _last(text: str, at: Any) -> str:
    return f"last {text} at {at:%Y-%m-%d %H:%M}" if at else "never charted"


def _facts(asked: Asked) -> dict[str, Any]:
    from app.services.asking.answering import written

    query = asked.understood.query
    return {
        "question": asked.understood.question,
        "tree": _plain_tree(written(query, words=True)) if query else None,
        "ignored": list(asked.understood.ignored),
        **_answer_facts(asked.answer),
    }


def _answer_facts(answer: Answer) -> dict[str, Any]:
    found = {name: value for name, value in _plain(asdict(answer)).items() if name not in ("query", "parts")}
    found["citations"] = [_plain(asdict(one)) for one in answer.citations.values()]
    return found | {"parts": [_answer_facts(part) for part in answer.parts]}


def _plain_tree(text: str) -> Any:
    import json

    return json.loads(text)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
