"""The folder of an evaluation: its circumstances, and a line for each finished case.

`run.json` is written before the first case; each case adds a line to `cases.jsonl`, on the disk before the next case
begins. With both, an evaluation can be continued after any interruption.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from app.pipeline import PipelineResult
from app.system.settings import Settings
from extraction.annotation.case_files import Case
from extraction.flowsheet.schema import Schema, file_sha256
from extraction.flowsheet.values import FilledValue, Value
from models.base.atomic_files import disk, replace_file
from models.base.errors import InputError

_ROOT = Path(__file__).parents[2]
# Files that affect the answers, in addition to settings and models.
_CODE = (
    "app/pipeline.py",
    "app/inference/file_session.py",
    "app/inference/tasks.py",
    "extraction/**/*",
    "models/**/*",
    "resources/prompts/*",
    "resources/learned/*/*",
)
_PACKAGES = (
    "wardlight", "llama-cpp-python", "torch", "sentence-transformers", "transformers", "tokenizers", "hnswlib",
    "lightgbm", "scikit-learn", "numpy",
)  # fmt: skip
# Settings that are elsewhere among the circumstances (files as hashes, models by id), or do not affect the answers.
_ELSEWHERE = frozenset(
    "schema learned speech_model filler_model embedder_model theme scale reviewer confirm_signer_minutes "
    "collect_examples microphone record_key hold_to_talk spoken_commands while_recording keep_audio keep_audio_days "
    "last_look keep_questions file_folder file_format paper hospital_columns delivery setup_finished".split()
)


# Subfolder for the models learned for an evaluation.
LEARNED = "learned"


@dataclass(frozen=True, slots=True)
class Read:
    """A value that was read for a row, with its confidence, 0 to 1.

    Attributes:
        rule: id of the rule that wrote it; empty if the models did.
        lit: whether it would be lit for the nurse.
        time: when it was observed, as 'HH:MM'; empty for the time of the dictation.
    """

    row_id: str
    value: Value
    confidence: float
    rule: str = ""
    lit: bool = False
    time: str = ""

    @classmethod
    def of(cls, value: FilledValue, *, lit: bool = False) -> Read:
        time = (value.observed_at or "").rpartition("T")[2]
        return cls(value.row_id, value.value, value.confidence, value.rule, lit, time)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Read:
        value = data["value"]
        return cls(**{**data, "value": tuple(value) if isinstance(value, list) else value})


@dataclass(frozen=True, slots=True)
class CaseRun:
    """The result of one run of one case.

    Attributes:
        repeat: counts from 1.
        not_shown: see `app.evaluation.not_shown`.

    The rest is as in `PipelineResult`.
    """

    id: str
    repeat: int
    text_sha256: str
    values: tuple[Read, ...]
    held_back: tuple[Read, ...]
    candidates: tuple[str, ...]
    seconds: dict[str, float]
    tokens: dict[str, int]
    devices: dict[str, str]
    not_shown: int | None = None

    @classmethod
    def of(
        cls,
        case: Case,
        repeat: int,
        result: PipelineResult,
        lights: Sequence[Sequence[str]],
        not_shown: int | None = None,
    ) -> CaseRun:
        """`lights` are the reasons why each of the result's values is lit, empty for unlit ones."""
        return cls(
            id=case.id,
            repeat=repeat,
            text_sha256=file_sha256(case.text.encode()),
            values=tuple(Read.of(value, lit=bool(why)) for value, why in zip(result.values, lights, strict=True)),
            held_back=tuple(map(Read.of, result.held_back)),
            candidates=tuple(candidate.row_id for candidate in result.candidates),
            seconds=result.seconds,
            tokens=result.tokens,
            devices=result.devices,
            not_shown=not_shown,
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CaseRun:
        values, held_back = (tuple(map(Read.from_json, data[name])) for name in ("values", "held_back"))
        return cls(**{**data, "values": values, "held_back": held_back, "candidates": tuple(data["candidates"])})


class EvaluationFolder:
    """Reads and writes one folder. Every method raises ResourceError if the disk fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = path / "cases.jsonl"

    def check(self, *, resume: bool) -> bool:
        """True if the folder is empty or does not exist.

        Raises InputError if it is not empty and not to be resumed.
        """
        with disk(self.path):
            inside = list(self.path.iterdir()) if self.path.exists() else []
        # A crash during the first write leaves only a partial file. Models learned for the evaluation are in a folder
        # of their own.
        empty = all(path.name == LEARNED or path.name.endswith(".partial") for path in inside)
        if not empty and not resume:
            raise InputError(
                f"The folder {self.path} is not empty.",
                "Choose a new one, or continue an evaluation that was stopped with --resume.",
            )
        return empty

    def begin(self, circumstances: dict[str, Any], *, resume: bool) -> list[CaseRun]:
        """Returns the finished runs: none in a new folder; with `resume`, those of the earlier evaluation.

        Raises:
            InputError: see `check`; or the folder holds no evaluation, or one begun under other circumstances; the
                message names the first difference.
        """
        if self.check(resume=resume):
            with disk(self.path):
                self.path.mkdir(parents=True, exist_ok=True)
            self.write("run.json", json_bytes(circumstances))
            return []
        if not (self.path / "run.json").exists():
            raise InputError(f"The folder {self.path} holds no evaluation.", "Choose the folder of one, or a new one.")
        if found := differing(load_json(self.path / "run.json"), circumstances):
            field, (then, now) = next(iter(found.items()))
            raise InputError(
                f"The evaluation in {self.path} was begun with another {field}: {then} then, {now} now.",
                "Continue it under the circumstances in its run.json, or choose a new folder.",
            )
        return self._finished()

    def append(self, run: CaseRun) -> None:
        """Adds a finished run; it is on the disk when this returns."""
        with disk(self._log), self._log.open("ab") as stream:
            stream.write(json.dumps(asdict(run)).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def write(self, name: str, data: bytes) -> None:
        """Replaces a file of the folder in one step."""
        with disk(self.path / name):
            replace_file(self.path / name, data)

    def _finished(self) -> list[CaseRun]:
        """The runs in the log; an incomplete last line is dropped, also from the file."""
        with disk(self._log):
            data = self._log.read_bytes() if self._log.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self.write(self._log.name, whole)
        runs = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                runs.append(CaseRun.from_json(json.loads(line)))
            except (ValueError, TypeError, KeyError) as error:
                raise InputError(
                    f"{self._log}, line {number} is damaged.", "Delete this line and continue with --resume."
                ) from error
        return runs


def circumstances_of(settings: Settings, schema: Schema, cases_sha256: str, models: dict[str, str]) -> dict[str, Any]:
    """Everything that the answers depend on, as JSON; evaluations under equal circumstances can be combined.

    Raises InputError if the learned folder that the settings name cannot be read.
    """
    chosen = asdict(settings)
    return {
        "settings": {name: value for name, value in chosen.items() if name not in _ELSEWHERE},
        "models": models,
        "schema_sha256": schema.sha256,
        "cases_sha256": cases_sha256,
        "learned_sha256": _content_sha256(settings.learned),
        "code_sha256": files_sha256(_ROOT, (path for pattern in _CODE for path in _ROOT.glob(pattern))),
        "packages": {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES},
    }


def differing(then: dict[str, Any], now: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The fields whose values differ, by dotted name, with both values (None if a field is missing)."""
    one, other = dict(flat(then)), dict(flat(now))
    return {name: (one.get(name), other.get(name)) for name in one | other if one.get(name) != other.get(name)}


def flat(data: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of nested objects, by dotted name."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def json_bytes(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def load_json(path: Path) -> dict[str, Any]:
    """Reads the object in a file of an evaluation. Raises InputError if the file is damaged."""
    with disk(path):
        data = path.read_bytes()
    try:
        found = json.loads(data)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path} is damaged.", "Run the evaluation again into a new folder.")
    return found


def _content_sha256(name: str) -> str | None:
    """One hash over the files of a folder; None without a name. Raises InputError if it cannot be read."""
    if not name:
        return None
    path = Path(name)
    try:
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "it is not a folder")
        return files_sha256(path, path.rglob("*"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", "Check the name and the folder.") from error


def files_sha256(root: Path, paths: Iterable[Path]) -> str:
    """One hash over the names and contents of files below a folder."""
    total = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts):
        total.update(f"{path.relative_to(root).as_posix()} {file_sha256(path.read_bytes())}\n".encode())
    return total.hexdigest()
