"""What persons have answered about a folder of exports that is not in use yet, kept so that nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from app.contracts import save_bytes
from app.system import paths
from extraction.contract.questions import with_later
from extraction.contract.records import Decision


def kept_answers(folder: Path) -> tuple[Decision, ...]:
    """The answers about a folder; none if the file with them is lost or damaged, since they can be given again."""
    try:
        kept = json.loads(_file(folder).read_bytes())
        return tuple(Decision(**one) for one in kept["answers"])
    except (OSError, ValueError, TypeError, KeyError):
        return ()


def keep_answers(folder: Path, answers: Iterable[Decision]) -> None:
    """Keeps answers with those given before; a later one to the same question counts. Raises ResourceError."""
    kept = with_later(kept_answers(folder), answers)
    content = {"folder": str(folder), "answers": [asdict(one) for one in kept]}
    save_bytes(json.dumps(content, ensure_ascii=False, indent=1).encode(), _file(folder))


def forget_answers(folder: Path) -> None:
    """Removes the answers, once a contract has them."""
    with suppress(OSError):
        _file(folder).unlink(missing_ok=True)


def _file(folder: Path) -> Path:
    name = hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:12]
    return paths.contracts_dir() / f"answers-{name}.json"
