"""What persons have answered about exports: kept for a folder until a contract has it, and as a file to take along.

There is one form, `wardlight-answers/1`, whoever asks. Kept answers about a folder lie in the data folder, so that a
build that was stopped goes on where it was, at the terminal or in the window.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from app.contracts import save_bytes
from app.system import paths
from extraction.contract.questions import with_later
from extraction.contract.records import Decision
from models.base.errors import InputError

_FORMAT = "wardlight-answers/1"


def answers_bytes(answers: Iterable[Decision], about: str) -> bytes:
    """The document of answers; `about` says what they are about, for a person."""
    content = {"format": _FORMAT, "about": about, "answers": [asdict(one) for one in answers]}
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def read_answers(path: Path) -> tuple[Decision, ...]:
    """Reads a file of answers. Raises InputError if it cannot be read, or is none."""
    try:
        return _parsed(json.loads(path.read_bytes()))
    except OSError as error:
        raise InputError(
            f"The answers {path} cannot be read: {error.strerror or error}.", "Check the name and the folder."
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} holds no answers: {error}.", "Choose a file that 'wardlight contract answers' has written."
        ) from error


def _parsed(content: Any) -> tuple[Decision, ...]:
    """The answers of a document; raises ValueError with what is wrong."""
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise ValueError(f"it lacks the format {_FORMAT!r}")
    names = {one.name for one in fields(Decision)}
    answers = content.get("answers")
    if not isinstance(answers, list):
        raise ValueError("it lacks a list of answers")
    for place, one in enumerate(answers, 1):
        if not isinstance(one, dict) or one.keys() != names or not all(isinstance(text, str) for text in one.values()):
            raise ValueError(f"answer {place} lacks question, answer, by or at")
    return tuple(Decision(**one) for one in answers)


def kept_answers(folder: Path) -> tuple[Decision, ...]:
    """The answers about a folder; none if the file with them is lost or damaged, since they can be given again."""
    try:
        return read_answers(_file(folder))
    except InputError:
        return ()


def keep_answers(folder: Path, answers: Iterable[Decision]) -> None:
    """Keeps answers with those given before; a later one to the same question counts. Raises ResourceError."""
    save_bytes(answers_bytes(with_later(kept_answers(folder), answers), str(folder)), _file(folder))


def forget_answers(folder: Path) -> None:
    """Removes the answers, once a contract has them."""
    with suppress(OSError):
        _file(folder).unlink(missing_ok=True)


def _file(folder: Path) -> Path:
    name = hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:12]
    return paths.contracts_dir() / f"answers-{name}.json"
