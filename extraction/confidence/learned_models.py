"""The learned models: shipped for any hospital, or fitted by `wardlight learn` to a hospital's own cases.

They are bound to how values were read and weighed (`extraction.confidence.binding`) and refused elsewhere, where their
probabilities would be meaningless. A learned folder also records the rows it was made with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile

from extraction.confidence import acceptance_features
from extraction.confidence.binding import (
    FEATURE_VERSION,
    LEAST_SHARED,
    READING_VERSION,
    Binding,
    rows_sha256,
    shared,
)
from extraction.confidence.packed_numbers import kept, packed, unpacked
from extraction.estimators.boosted_trees import TreeModel
from extraction.estimators.calibration import Calibration
from extraction.estimators.layer_classifiers import LayerClassifiers
from extraction.estimators.linear_probes import Probe, load_probes, save_probes
from extraction.estimators.precision import Counts, Precisions, measured
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import Schema
from extraction.retrieval import prior_features
from extraction.retrieval.exemplars import Exemplar, ExemplarBook
from models.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 3
FACTS = "learned.json"
_MODELS = ("prior.json", "confidence.json", "probes.npz", "layers.npy")
_FILES = (*_MODELS, "exemplars.jsonl", "exemplars.npy")
_CALIBRATION = "calibration.npz"
# The filler whose shipped models are used for a filler without its own.
_DEFAULT_FILLER = "qwen2.5-coder-1.5b-q4"
# Code hash in folders of the last release that stored one; its readings and features are unchanged.
_LAST_CODE = "7a8d53342a163e2ddbb44ee4e4abc4b27bf07f59efaef77ac162d51a46df36aa"


@dataclass(frozen=True)
class Learned:
    """The learned models, with the schema, models and version they are valid for.

    Attributes:
        book: exemplars; None without any.
        prior, acceptance: the models of the reduction and of readings.
        probes: by name, see `confidence.PROBES`.
        calibration: decides what is lit; None if there was too little data.
        binding: what they were fitted for.
        rules: by rule id, the numbers of right and wrong values the rule wrote.
        identity: hash of the models.
        features_identity: hash of the models and exemplars that features of readings come from.
    """

    book: ExemplarBook | None
    prior: TreeModel
    acceptance: TreeModel
    probes: dict[str, Probe]
    layers: LayerClassifiers
    calibration: Calibration | None
    binding: Binding
    rules: Counts = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    identity: str = ""
    features_identity: str = ""

    @cached_property
    def precisions(self) -> Precisions:
        """How often each rule is right, see `extraction.estimators.precision.measured`."""
        return measured(self.rules)

    def weigh(self, task: Task, readings: Sequence[Reading]) -> Weighing:
        """Weighs the readings of a task."""
        import numpy as np

        row, value = (
            np.array([self.probes[name].score(reading.states) for reading in readings]).reshape(-1, self._layers)
            for name in acceptance_features.PROBES
        )
        known = acceptance_features.acceptance_features(
            task, readings, acceptance_features.over_layers(row), acceptance_features.over_layers(value)
        )
        # rounded as stored, so that reweighing gives the same result
        features = kept(np.hstack([np.array(known).reshape(-1, len(acceptance_features.FEATURES)), row, value]))
        return Weighing(*self._weigh_features(features), [packed(one) for one in features])

    def reweigh(self, features: Sequence[str]) -> list[tuple[float, tuple[float, ...]] | None]:
        """Confidence and layer errors of values with stored features (see `Weighing`).

        None for values without features, or with features of other layers.
        """
        import numpy as np

        width = len(acceptance_features.FEATURES) + len(acceptance_features.PROBES) * self._layers
        usable = {
            place: numbers for place, text in enumerate(features) if text and len(numbers := unpacked(text)) == width
        }
        found: list[tuple[float, tuple[float, ...]] | None] = [None] * len(features)
        confidences, errors = self._weigh_features(np.array(list(usable.values())).reshape(-1, width))
        for place, sure, wrong in zip(usable, confidences.tolist(), errors.tolist(), strict=True):
            found[place] = (sure, tuple(wrong))
        return found

    @property
    def _layers(self) -> int:
        return len(self.layers.coefficients)

    def _weigh_features(self, features: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Confidences, shape (readings,), and errors, shape (readings, layers), from stored features."""
        import numpy as np

        known, row, value = np.split(
            features, (len(acceptance_features.FEATURES), len(acceptance_features.FEATURES) + self._layers), 1
        )
        confidences = self.acceptance.probabilities(known)
        return confidences, self.layers.errors(confidences, row, value)


class Weighing(NamedTuple):
    """The models' output for several readings.

    Attributes:
        confidences: probability that each is right, shape (readings,).
        errors: probability by each layer that it is wrong, shape (readings, layers).
        features: what each was weighed by, as `extraction.confidence.packed_numbers` writes it: those of
            `acceptance_features.FEATURES`, then the scores of the row probe and of the value probe by layer.
    """

    confidences: NDArray[np.float64]
    errors: NDArray[np.float64]
    features: list[str]


@cache
def shipped(filler: str = _DEFAULT_FILLER) -> Learned:
    """The shipped models fitted with this filler, or else with the default one, for hospitals without annotated cases.

    Raises AssertionError if they were fitted for another reading or feature version.
    """
    with _shipped_folder(filler) as folder:
        facts = _facts_of(folder)
        learned = _load_models(folder, _bound_to(facts), facts)
    bound = learned.binding
    assert (bound.reading_version, bound.feature_version) == (READING_VERSION, FEATURE_VERSION), "fit them again"
    return learned


@contextmanager
def _shipped_folder(filler: str) -> Iterator[Path]:
    with as_file(files("resources") / "learned") as folder:
        own = folder / filler
        yield own if filler and own.is_dir() else folder / _DEFAULT_FILLER


def save_learned(folder: Path, learned: Learned, schema: Schema) -> None:
    """Writes a learned folder; its facts come last and mark it as complete.

    Raises OSError.
    """
    import numpy as np

    assert learned.book is not None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FACTS).unlink(missing_ok=True)
    lines = [exemplar.to_json() + "\n" for exemplar in learned.book.exemplars]
    (folder / "exemplars.jsonl").write_text("".join(lines), encoding="utf-8")
    np.save(folder / "exemplars.npy", learned.book.vectors)
    _save_models(folder, learned)
    facts = {
        "format": _FORMAT,
        "bound_to": learned.binding.to_json(),
        "rules": learned.rules,
        "schema": {"id": schema.id, "sha256": schema.sha256, "rows": rows_sha256(schema)},
        "files": {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in (*_FILES, *([_CALIBRATION] if learned.calibration else []))
        },
        **learned.about,
    }
    _write_facts(folder, facts)


def save_models(folder: Path, learned: Learned) -> None:
    """Writes only the models, as they are shipped. Raises OSError."""
    _save_models(folder, learned)
    _write_facts(folder, {"format": _FORMAT, "bound_to": learned.binding.to_json(), "rules": learned.rules})


def _write_facts(folder: Path, facts: dict[str, Any]) -> None:
    (folder / FACTS).write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _save_models(folder: Path, learned: Learned) -> None:
    import numpy as np

    (folder / "prior.json").write_text(learned.prior.to_json(), encoding="utf-8")
    (folder / "confidence.json").write_text(learned.acceptance.to_json(), encoding="utf-8")
    save_probes(folder / "probes.npz", learned.probes)
    np.save(folder / "layers.npy", learned.layers.coefficients)
    if learned.calibration is not None:
        learned.calibration.save(folder / _CALIBRATION)


def learned_facts(folder: Path) -> dict[str, Any]:
    """The facts of a learned folder. Raises InputError if it is not one."""
    try:
        return _facts_of(folder)
    except FileNotFoundError as error:
        raise InputError(
            f"The folder {folder} holds nothing learned.", "Make it with: wardlight learn --out DIR."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, FACTS) from error


def _facts_of(folder: Path) -> dict[str, Any]:
    """Raises OSError, ValueError, KeyError or TypeError."""
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    if not isinstance(facts, dict) or facts["format"] not in (2, _FORMAT) or not isinstance(facts["bound_to"], dict):
        raise ValueError("not the facts of a learned folder")
    for right, wrong in dict(facts.get("rules", {})).values():  # rejects anything but pairs of counts
        if not (isinstance(right, int) and isinstance(wrong, int)):
            raise ValueError("not the counts of a rule")
    return facts


def _bound_to(facts: dict[str, Any]) -> Binding:
    """The binding of a folder's models. Raises KeyError if its facts lack it."""
    bound = facts["bound_to"]
    if facts["format"] == _FORMAT:
        return Binding.from_json(bound)
    now = Binding.of(bound["filler"], bound["embedder"])
    return now if bound["code_sha256"] == _LAST_CODE else replace(now, reading_version=0)


def load_learned(folder: Path, now: Binding, schema: Schema) -> Learned:
    """Reads a learned folder, without exemplar values of rows that have changed since.

    Raises:
        InputError: it is missing, damaged (the message names the file), or belongs to another schema, model or version.
    """
    import numpy as np

    facts = learned_facts(folder)
    standing = _check(folder, facts, now, schema)
    if standing.differs:
        raise InputError(
            f"What was learned in {folder} belongs to {standing.differs[0]}.",
            "Learn again with: wardlight learn, or go on without it.",
        )
    _verify(folder, facts)
    lines = (folder / "exemplars.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    book = ExemplarBook(tuple(map(Exemplar.from_json, lines)), np.load(folder / "exemplars.npy", allow_pickle=False))
    return replace(_load_models(folder, standing.binding, facts), book=book.of_rows(standing.rows), about=facts)


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether learned models are valid for a program, its models and a schema.

    Attributes:
        binding: what they belong to.
        differs: what has changed and makes them useless, in words, most serious first.
        rows: the rows of the schema that are unchanged.
        promised: whether the calibration holds for values read now; not if most rows have changed.
    """

    binding: Binding
    differs: tuple[str, ...]
    rows: frozenset[str]
    promised: bool


def check_learned(folder: Path, now: Binding, schema: Schema) -> Standing:
    """Checks a learned folder without loading its models. Raises InputError if it is missing or damaged."""
    facts = learned_facts(folder)
    standing = _check(folder, facts, now, schema)
    _verify(folder, facts)
    return standing


def _check(folder: Path, facts: dict[str, Any], now: Binding, schema: Schema) -> Standing:
    try:
        bound = _bound_to(facts)
        rows = _rows_kept(facts, schema)
    except KeyError as error:
        raise _damaged(folder, FACTS) from error
    differs = (*bound.differs(now), *(() if rows else ("another schema",)))
    most = len(rows) >= LEAST_SHARED * len(facts.get("schema", {}).get("rows", ()))
    calibrated = _CALIBRATION in facts["files"] and bound == now and most
    return Standing(bound, differs, rows, promised=calibrated and not differs)


def _verify(folder: Path, facts: dict[str, Any]) -> None:
    """Raises InputError if a file has changed since it was written."""
    for name, digest in facts["files"].items():
        try:
            intact = hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        except OSError:
            intact = False
        if not intact:
            raise _damaged(folder, name)


def _rows_kept(facts: dict[str, Any], schema: Schema) -> frozenset[str]:
    """The rows unchanged since the models were learned; empty for a different schema.

    A later version of the same schema, as an extended contract gives it, keeps what concerns rows that it left alone.
    """
    if facts["format"] == _FORMAT:
        known = facts["schema"]["rows"]
        kept = shared(known, schema)
        alike = facts["schema"]["id"] == schema.id or len(kept) >= LEAST_SHARED * len(known)
        return kept if alike else frozenset()
    return frozenset(schema.by_id) if facts["bound_to"]["schema_sha256"] == schema.sha256 else frozenset()


def _load_models(folder: Path, bound: Binding, facts: dict[str, Any]) -> Learned:
    """Loads what `save_models` wrote."""
    import numpy as np

    return Learned(
        None,
        TreeModel.from_json((folder / "prior.json").read_text(encoding="utf-8"), prior_features.FEATURES),
        TreeModel.from_json((folder / "confidence.json").read_text(encoding="utf-8"), acceptance_features.FEATURES),
        load_probes(folder / "probes.npz", *acceptance_features.PROBES),
        LayerClassifiers(np.load(folder / "layers.npy", allow_pickle=False)),
        _calibration(folder),
        bound,
        {rule: (right, wrong) for rule, (right, wrong) in facts.get("rules", {}).items()},
        identity=_identity(folder),
        features_identity=_features_identity(folder, facts),
    )


@dataclass(frozen=True, slots=True)
class LearnedCalibration:
    """The calibration of learned models.

    Attributes:
        calibration: None if there was too little data.
        binding: how the values of the calibration were read and weighed; it guarantees nothing for others.
        identity: of the models that weigh.
        features_identity: of what their features come from.
    """

    calibration: Calibration | None
    binding: Binding
    identity: str
    features_identity: str


def load_calibration(folder: Path | None, filler: str) -> LearnedCalibration:
    """The calibration in a learned folder, or the shipped one for the filler if the folder is None.

    Raises:
        InputError: the folder holds nothing learned, or it is damaged.
    """
    if folder is None:
        return _shipped_calibration(filler)
    facts = learned_facts(folder)
    try:
        return _calibrated(folder, facts)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise _damaged(folder, _CALIBRATION) from error


@cache
def _shipped_calibration(filler: str) -> LearnedCalibration:
    """Without the models, which a window that only shows lights need not load."""
    with _shipped_folder(filler) as folder:
        return _calibrated(folder, _facts_of(folder))


def _calibrated(folder: Path, facts: dict[str, Any]) -> LearnedCalibration:
    return LearnedCalibration(
        _calibration(folder), _bound_to(facts), _identity(folder), _features_identity(folder, facts)
    )


def signature(identity: str, binding: Binding, schema: Schema) -> str:
    """Identifies the models that weigh values of a schema, in hexadecimal.

    Values with different signatures are not comparable. With `features_identity` as the identity, it identifies the
    meaning of stored features: values with equal signatures can be reweighed by any models of that signature.
    """
    facts = [identity, binding.to_json(), schema.id]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _calibration(folder: Path) -> Calibration | None:
    path = folder / _CALIBRATION
    return Calibration.load(path) if path.exists() else None


def _identity(folder: Path) -> str:
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in _MODELS)).hexdigest()


def _features_identity(folder: Path, facts: dict[str, Any]) -> str:
    """Excludes acceptance and layers, which only weigh features; exemplars are identified by the hash in the facts."""
    content = b"".join((folder / name).read_bytes() for name in ("prior.json", "probes.npz"))
    exemplars = facts.get("files", {}).get("exemplars.jsonl", "")
    return hashlib.sha256(content + exemplars.encode()).hexdigest()


def _damaged(folder: Path, name: str) -> InputError:
    return InputError(f"{folder / name} is damaged.", "Learn again with: wardlight learn.")
