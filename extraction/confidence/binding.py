"""What learned models are valid for: how values are read and weighed, as version numbers and hashes.

Comments, renames and faster code change neither. `tests/recordings/golden.py` ties readings and features to these
versions, and fails if either changes without a new version.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

from extraction.filling.prompts import prompts
from extraction.flowsheet.schema import Row, Schema
from models.library.manifest import load_manifest

# Increment if questions or the interpretation of answers change; everything is then read and fitted again.
READING_VERSION = 1
# Increment if a feature of candidates or readings changes or goes; the models are then fitted again to the same
# readings. A new one changes nothing for models that were fitted without it.
FEATURE_VERSION = 2
# A schema with a smaller share of unchanged rows counts as a different one.
LEAST_SHARED = 0.5
# Fields that may change without affecting how a row is asked or read.
_UNREAD = frozenset(
    {
        "loinc",
        "absolute",
        "critical",
        "reference",
        "usual",
        "laterality",
        "measured_with",
        "required",
        "pinned",
        "fluid",
        "exclusive",
        "contradicts",
        "spoken",
        "cues",
    }
)
# Fields that count only if stated, so that adding one to the format leaves other rows unchanged.
_IF_STATED = frozenset({"instance", "role", "stated_none", "also_in", "concept", "written_out"})


# Rows that are kept for each segment, unless the settings say otherwise.
TOP_K = 20
# How texts are cut and rows are filled, as stored signatures say it: there is one way.
_ONE_WAY = {"strategy": "rowwise", "segmentation": "sentence"}


@dataclass(frozen=True, slots=True)
class Binding:
    """How values are read and weighed; models learned from such values are valid for no others.

    Attributes:
        filler, embedder: ids of the models; `filler_sha256`, `embedder_sha256` cover the hashes of their files.
        prompt_sha256: of the filler's prompts.
        top_k: rows that are kept for each segment.
    """

    filler: str
    filler_sha256: str
    embedder: str
    embedder_sha256: str
    prompt_sha256: str
    top_k: int
    reading_version: int
    feature_version: int

    @classmethod
    def of(cls, filler: str, embedder: str, top_k: int = TOP_K) -> Binding:
        """The binding of this program with these models."""
        return cls(
            filler,
            _model_sha256(filler),
            embedder,
            _model_sha256(embedder),
            _sha256(prompts()),
            top_k,
            READING_VERSION,
            FEATURE_VERSION,
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Binding:
        """Raises KeyError if something is missing."""
        return cls(**{one.name: data[one.name] for one in fields(cls)})

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | _ONE_WAY

    @property
    def reading(self) -> str:
        """Hash of what the filler's answers depend on, apart from the questions."""
        return _sha256([self.filler, self.filler_sha256, self.prompt_sha256, self.reading_version])

    def differs(self, other: Binding) -> list[str]:
        """Differences that make models fitted for the other binding useless, in words, most serious first.

        Another number of rows does not: values are then weighed less well, and nothing is guaranteed.
        """
        return [words for name, words in _DIFFERS.items() if getattr(self, name) != getattr(other, name)]


_DIFFERS = {
    "filler": "another language model",
    "filler_sha256": "another release of the language model",
    "embedder": "another embedder",
    "embedder_sha256": "another release of the embedder",
    "prompt_sha256": "other questions to the language model",
    "reading_version": "another version of Wardlight, which read dictations differently",
    "feature_version": "another version of Wardlight, which weighed values differently",
}


def rows_sha256(schema: Schema) -> dict[str, str]:
    """By row id, a hash of everything that affects how the row is read."""
    return {row.id: _row_sha256(row) for row in schema.rows}


def shared(known: dict[str, str], schema: Schema) -> frozenset[str]:
    """Ids of the schema's rows that are unchanged since `known` was stored."""
    return frozenset(row_id for row_id, digest in rows_sha256(schema).items() if known.get(row_id) == digest)


def _row_sha256(row: Row) -> str:
    read = {one.name: getattr(row, one.name) for one in fields(row) if one.name not in _UNREAD}
    read["stated_none"] = tuple(name for name in row.stated_none if name not in _UNREAD)
    return _sha256({name: value for name, value in read.items() if value or name not in _IF_STATED})


@cache
def _model_sha256(model_id: str) -> str:
    """Hash over a model's file hashes in the manifest; empty for an unknown model."""
    found = [model for model in load_manifest().models if model.id == model_id]
    return _sha256(sorted((file.name, file.sha256) for file in found[0].files)) if found else ""


def _sha256(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(data: Any) -> Any:
    return {name: value for name, value in asdict(data).items() if name not in _UNREAD}
