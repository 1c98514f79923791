"""What the extraction has learned: models shipped for any hospital, or made by `wardlight learn` from its own cases.

A learned folder is bound to the schema, the models and the code that it was made with, and refused by any other: its
probabilities would mean nothing there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from extraction import confidence, reduce
from extraction.calibration import Calibration
from extraction.exemplars import Exemplar, ExemplarBook
from extraction.fill import Reading
from extraction.layers import LayerClassifiers
from extraction.probes import Probe, load_probes, save_probes
from extraction.schema import Schema
from extraction.trees import TreeModel
from models.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 2
FACTS = "learned.json"
_MODELS = ("prior.json", "confidence.json", "probes.npz", "layers.npy")
_FILES = (*_MODELS, "exemplars.jsonl", "exemplars.npy")
_CALIBRATION = "calibration.npz"
# The filler whose shipped models are taken for one that none were fitted with.
_DEFAULT_FILLER = "qwen2.5-coder-1.5b-q4"
# What is read and weighed changes with these; what only displays, stores or explains does not count.
_CODE = (
    "extraction/answers.py extraction/calibration.py extraction/confidence.py extraction/conformal.py "
    "extraction/evidence.py extraction/exemplars.py extraction/families.py extraction/fill.py extraction/index.py "
    "extraction/layers.py extraction/lexical.py extraction/own_options.py extraction/probes.py extraction/propose.py "
    "extraction/reduce.py extraction/rowwise.py "
    "extraction/scoring.py extraction/segment.py extraction/spoken.py extraction/trees.py extraction/units.py "
    "extraction/validate.py models/ask.py models/constraint.py models/embedder.py models/hidden_states.py "
    "models/llm.py resources/prompts/rowwise.toml"
).split()


@dataclass(frozen=True, slots=True)
class Binding:
    """What learned models belong to: hash of the schema file, ids of the models, hash of the code."""

    schema_sha256: str
    filler: str
    embedder: str
    code_sha256: str

    @classmethod
    def of(cls, schema: Schema, filler: str, embedder: str) -> Binding:
        """With this code: what is learned now belongs to it, and what is read now must."""
        return cls(schema.sha256, filler, embedder, code_sha256())

    def to_json(self) -> dict[str, str]:
        return {
            "schema_sha256": self.schema_sha256,
            "filler": self.filler,
            "embedder": self.embedder,
            "code_sha256": self.code_sha256,
        }


@dataclass(frozen=True)
class Learned:
    """What was learned.

    Attributes:
        book: exemplars; None where there are none.
        prior, acceptance: the models of reduction and readings.
        probes: by name, see `confidence.PROBES`.
        calibration: what is lit; None where there was too little to calibrate it.
        identity: hash of the models.
    """

    book: ExemplarBook | None
    prior: TreeModel
    acceptance: TreeModel
    probes: dict[str, Probe]
    layers: LayerClassifiers
    calibration: Calibration | None
    about: dict[str, Any] = field(default_factory=dict)
    identity: str = ""

    def weigh(self, readings: Sequence[Reading], segments: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each reading of a dictation of so many segments the probability that it is right, shape (readings,), and
        by each layer that it is wrong, shape (readings, layers)."""
        import numpy as np

        count = len(self.layers.coefficients)
        row, value = (
            np.array([self.probes[name].score(reading.states) for reading in readings]).reshape(-1, count)
            for name in confidence.PROBES
        )
        known = confidence.features(readings, segments, confidence.over_layers(row), confidence.over_layers(value))
        confidences = self.acceptance.probabilities(known)
        return confidences, self.layers.errors(confidences, row, value)


@cache
def code_sha256() -> str:
    """Hash of the code and prompts that learned models depend on."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for name in _CODE:
        digest.update(name.encode() + b"\0" + (root / name).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


@cache
def shipped(filler: str = _DEFAULT_FILLER) -> Learned:
    """The models in resources/learned that were fitted with the filler of this id, for hospitals that have no annotated
    cases."""
    with _shipped_folder(filler) as folder:
        return _load_models(folder)


@contextmanager
def _shipped_folder(filler: str) -> Iterator[Path]:
    with as_file(files("resources") / "learned") as folder:
        own = folder / filler
        yield own if filler and own.is_dir() else folder / _DEFAULT_FILLER


def save_learned(folder: Path, learned: Learned, binding: Binding) -> None:
    """Writes a learned folder; the file with its facts comes last and says that it is whole. Raises OSError."""
    import numpy as np

    assert learned.book is not None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FACTS).unlink(missing_ok=True)
    lines = [exemplar.to_json() + "\n" for exemplar in learned.book.exemplars]
    (folder / "exemplars.jsonl").write_text("".join(lines), encoding="utf-8")
    np.save(folder / "exemplars.npy", learned.book.vectors)
    save_models(folder, learned)
    facts = {
        "format": _FORMAT,
        "bound_to": binding.to_json(),
        "files": {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in (*_FILES, *([_CALIBRATION] if learned.calibration else []))
        },
        **learned.about,
    }
    (folder / FACTS).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def save_models(folder: Path, learned: Learned) -> None:
    """Writes the models alone, as they are shipped. Raises OSError."""
    import numpy as np

    (folder / "prior.json").write_text(learned.prior.to_json(), encoding="utf-8")
    (folder / "confidence.json").write_text(learned.acceptance.to_json(), encoding="utf-8")
    save_probes(folder / "probes.npz", learned.probes)
    np.save(folder / "layers.npy", learned.layers.coefficients)
    if learned.calibration is not None:
        learned.calibration.save(folder / _CALIBRATION)


def learned_facts(folder: Path) -> dict[str, Any]:
    """What a learned folder says of itself. Raises InputError where it is none."""
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            f"The folder {folder} holds nothing learned.", "Make it with: wardlight learn --out DIR."
        ) from error
    except (OSError, ValueError) as error:
        raise _damaged(folder, FACTS) from error
    if not isinstance(facts, dict) or facts.get("format") != _FORMAT or not isinstance(facts.get("bound_to"), dict):
        raise _damaged(folder, FACTS, 'the fields "format" and "bound_to"')
    return facts


def load_learned(folder: Path, binding: Binding) -> Learned:
    """Reads a learned folder.

    Raises:
        InputError: there is none, it is damaged (the file is named), or it belongs to another schema, model or version.
    """
    import numpy as np

    facts = learned_facts(folder)
    for name, mine in binding.to_json().items():
        if facts["bound_to"].get(name) != mine:
            raise InputError(
                f"What was learned in {folder} belongs to {_BOUND[name]}.",
                "Learn again with: wardlight learn, or go on without it.",
            )
    for name, digest in facts["files"].items():
        try:
            intact = hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        except OSError:
            intact = False
        if not intact:
            raise _damaged(folder, name)
    lines = (folder / "exemplars.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    book = ExemplarBook(tuple(map(Exemplar.from_json, lines)), np.load(folder / "exemplars.npy", allow_pickle=False))
    return replace(_load_models(folder), book=book, about=facts)


def _load_models(folder: Path) -> Learned:
    """What `save_models` wrote."""
    import numpy as np

    return Learned(
        None,
        TreeModel.from_json((folder / "prior.json").read_text(encoding="utf-8"), reduce.FEATURES),
        TreeModel.from_json((folder / "confidence.json").read_text(encoding="utf-8"), confidence.FEATURES),
        load_probes(folder / "probes.npz", *confidence.PROBES),
        LayerClassifiers(np.load(folder / "layers.npy", allow_pickle=False)),
        _calibration(folder),
        identity=_identity(folder),
    )


def load_calibration(folder: Path | None, filler: str) -> tuple[Calibration | None, str]:
    """What a learned folder, or with None what is shipped for the filler, says about lights, and the identity of its
    models.

    Raises:
        InputError: the folder holds nothing learned, or it is damaged.
    """
    if folder is None:
        return _shipped_calibration(filler)
    learned_facts(folder)
    try:
        return _calibration(folder), _identity(folder)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise _damaged(folder, _CALIBRATION) from error


@cache
def _shipped_calibration(filler: str) -> tuple[Calibration | None, str]:
    """Without the models themselves: a window that only shows lights need not load what weighs values."""
    with _shipped_folder(filler) as folder:
        return _calibration(folder), _identity(folder)


def signature(identity: str, binding: Binding) -> str:
    """By whom values are weighed, hexadecimal: those of another signature cannot be compared with these."""
    return hashlib.sha256(json.dumps([identity, binding.to_json()], sort_keys=True).encode()).hexdigest()


def _calibration(folder: Path) -> Calibration | None:
    path = folder / _CALIBRATION
    return Calibration.load(path) if path.exists() else None


def _identity(folder: Path) -> str:
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in _MODELS)).hexdigest()


_BOUND = {
    "schema_sha256": "another schema, or another version of it",
    "filler": "another language model",
    "embedder": "another embedder",
    "code_sha256": "another version of Wardlight",
}


def _damaged(folder: Path, name: str, what: str = "") -> InputError:
    missing = f": {what} are missing" if what else ""
    return InputError(f"{folder / name} is damaged{missing}.", "Learn again with: wardlight learn.")
