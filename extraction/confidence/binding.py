"""What learned models belong to: how values are read and weighed, said by version numbers and hashes of what is read.

A comment, another name or a faster loop changes none of it. `tests/recordings/golden.py` holds readings and features
to these versions: a change of either without another version fails there.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from extraction.filling.prompts import prompts
from extraction.flowsheet.schema import Row, Schema
from models.library.manifest import load_manifest

# Raise it where other questions are asked, or their answers are read otherwise; then all is read and fitted again.
READING_VERSION = 1
# Raise it where candidates or readings are put into other numbers; then the models are fitted again to what was read.
FEATURE_VERSION = 1
# A schema of which fewer rows are as they were is another one.
LEAST_SHARED = 0.5
# What a row may say otherwise without being asked or read otherwise.
_UNREAD = frozenset({"loinc", "absolute", "critical", "reference", "laterality", "measured_with"})
# What counts only where it is stated, so that a row that does not state it is the one that it was before it could.
_IF_STATED = frozenset({"instance", "role", "stated_none", "also_in"})


class ReadingMethod(NamedTuple):
    """How dictations are read.

    Attributes:
        strategy: `rowwise` or `json`, how rows are filled.
        segmentation: `sentence` or `llm`, how a transcript is cut.
        top_k: rows that are kept for each segment.
    """

    strategy: str = "rowwise"
    segmentation: str = "sentence"
    top_k: int = 10

    @property
    def calibratable(self) -> bool:
        """Whether values that are read so are weighed as those of annotated cases are."""
        return self.strategy == "rowwise"


@dataclass(frozen=True, slots=True)
class Binding:
    """How values are read and weighed; what is learned from such values says nothing about others.

    Attributes:
        filler, embedder: ids of the models; `filler_sha256`, `embedder_sha256` are over the hashes of their files.
        prompt_sha256: of what the filler is asked.
        strategy, segmentation, top_k: see `ReadingMethod`.
    """

    filler: str
    filler_sha256: str
    embedder: str
    embedder_sha256: str
    prompt_sha256: str
    strategy: str
    segmentation: str
    top_k: int
    reading_version: int
    feature_version: int

    @classmethod
    def of(cls, filler: str, embedder: str, method: ReadingMethod) -> Binding:
        """With this program and these models."""
        return cls(
            filler,
            _model_sha256(filler),
            embedder,
            _model_sha256(embedder),
            _sha256(prompts("rowwise")),
            *method,
            READING_VERSION,
            FEATURE_VERSION,
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Binding:
        """Raises KeyError where something is missing."""
        return cls(**{one.name: data[one.name] for one in fields(cls)})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def reading(self) -> str:
        """Hash of what the filler's answers depend on, beside what it is asked."""
        return _sha256([self.filler, self.filler_sha256, self.prompt_sha256, self.reading_version])

    def differs(self, other: Binding) -> list[str]:
        """What of this makes models useless that were fitted for the other, in words, the gravest first.

        Another strategy, segmentation or number of rows does not: values are weighed less well then, and nothing is
        promised of them.
        """
        return [words for name, words in _DIFFERS.items() if getattr(self, name) != getattr(other, name)]


_DIFFERS = {
    "filler": "another language model",
    "filler_sha256": "another release of the language model",
    "embedder": "another embedder",
    "embedder_sha256": "another release of the embedder",
    "prompt_sha256": "other questions to the language model",
    "reading_version": "another version of Wardlight, which read dictations otherwise",
    "feature_version": "another version of Wardlight, which weighed values otherwise",
}


def rows_sha256(schema: Schema) -> dict[str, str]:
    """By id a hash of all that each row is read by."""
    return {row.id: _row_sha256(row) for row in schema.rows}


def shared(known: dict[str, str], schema: Schema) -> frozenset[str]:
    """The ids of the rows of a schema that are as they were when `known` was noted."""
    return frozenset(row_id for row_id, digest in rows_sha256(schema).items() if known.get(row_id) == digest)


def _row_sha256(row: Row) -> str:
    read = {one.name: getattr(row, one.name) for one in fields(row) if one.name not in _UNREAD}
    read["stated_none"] = tuple(name for name in row.stated_none if name not in _UNREAD)
    return _sha256({name: value for name, value in read.items() if value or name not in _IF_STATED})


@cache
def _model_sha256(model_id: str) -> str:
    """Over the hashes of a model's files, as the manifest pins them; empty for one that is not in it."""
    found = [model for model in load_manifest().models if model.id == model_id]
    return _sha256(sorted((file.name, file.sha256) for file in found[0].files)) if found else ""


def _sha256(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(data: Any) -> Any:
    return asdict(data)
