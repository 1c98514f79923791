"""What the extraction has learned: models shipped for any hospital, or made by `wardlight learn` from its own cases.

A learned folder is bound to the schema, the models and the code that it was made with, and refused by any other: its
probabilities would mean nothing there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction import confidence, reduce
from extraction.exemplars import Exemplar, ExemplarBook
from extraction.fill import Reading
from extraction.probes import Probe, load_probes, save_probes
from extraction.schema import Schema
from extraction.trees import TreeModel
from models.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 1
FACTS = "learned.json"
_FILES = ("prior.json", "confidence.json", "probes.npz", "exemplars.jsonl", "exemplars.npy")
# What is read and weighed changes with these; what only displays, stores or explains does not count.
_CODE = (
    "extraction/answers.py extraction/confidence.py extraction/evidence.py extraction/exemplars.py extraction/fill.py "
    "extraction/index.py extraction/lexical.py extraction/probes.py extraction/propose.py extraction/reduce.py "
    "extraction/rowwise.py extraction/scoring.py extraction/segment.py extraction/spoken.py extraction/trees.py "
    "extraction/units.py extraction/validate.py "
    "models/ask.py models/constraint.py models/embedder.py models/llm.py resources/prompts/rowwise.toml"
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
    """Exemplars (None: there are none), the two tree models, and the probes by name (see `confidence.PROBES`)."""

    book: ExemplarBook | None
    prior: TreeModel
    acceptance: TreeModel
    probes: dict[str, Probe]
    about: dict[str, Any] = field(default_factory=dict)

    def confidences(self, readings: Sequence[Reading], segments: int) -> NDArray[np.float64]:
        """Probability that each reading of a dictation of so many segments is right, shape (readings,)."""
        row, value = ([self.probes[name].score(reading.states) for reading in readings] for name in confidence.PROBES)
        return self.acceptance.probabilities(confidence.features(readings, segments, row, value))


@cache
def code_sha256() -> str:
    """Hash of the code and prompts that learned models depend on."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for name in _CODE:
        digest.update(name.encode() + b"\0" + (root / name).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


@cache
def shipped() -> Learned:
    """The models in resources/learned, for hospitals that have no annotated cases."""
    with as_file(files("resources") / "learned") as folder:
        return _load_models(folder)


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
        "files": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in _FILES},
        **learned.about,
    }
    (folder / FACTS).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def save_models(folder: Path, learned: Learned) -> None:
    """Writes the models alone, as they are shipped. Raises OSError."""
    (folder / "prior.json").write_text(learned.prior.to_json(), encoding="utf-8")
    (folder / "confidence.json").write_text(learned.acceptance.to_json(), encoding="utf-8")
    save_probes(folder / "probes.npz", learned.probes)


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
    return Learned(
        None,
        TreeModel.from_json((folder / "prior.json").read_text(encoding="utf-8"), reduce.FEATURES),
        TreeModel.from_json((folder / "confidence.json").read_text(encoding="utf-8"), confidence.FEATURES),
        load_probes(folder / "probes.npz", *confidence.PROBES),
    )


_BOUND = {
    "schema_sha256": "another schema, or another version of it",
    "filler": "another language model",
    "embedder": "another embedder",
    "code_sha256": "another version of Wardlight",
}


def _damaged(folder: Path, name: str, what: str = "") -> InputError:
    missing = f": {what} are missing" if what else ""
    return InputError(f"{folder / name} is damaged{missing}.", "Learn again with: wardlight learn.")
