"""What is read of own utterances, and the numbers it is weighed by, recorded without weights: `python -m
tests.recordings.golden`.

Stand-ins of the models answer by what a text spells, so that the recording tells of this program alone. It is made
again after READING_VERSION or FEATURE_VERSION was raised, and the shipped models were fitted again.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.confidence import acceptance_features
from extraction.confidence.binding import FEATURE_VERSION, READING_VERSION
from extraction.filling.rowwise import RowwiseFiller
from extraction.filling.task import Reading, Task
from extraction.language.sentences import segment
from extraction.retrieval import prior_features, reduction
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.index import open_index
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from resources import DEMONSTRATION_SCHEMA
from tests.kit.fake_models import FakeEmbedder, FakeLlm, question_of

FILE = Path(__file__).parents[1] / "data" / "golden.npz"
_ROWS = 12  # that are asked of each text
_TODAY = dt.date(2026, 3, 4)


class _Embedder(FakeEmbedder):
    """No two texts are equally near to a third, so that no machine's rounding decides between them."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = super().encode(texts)
        apart = [np.random.default_rng(zlib.crc32(text.encode())).normal(0, 0.01, self.dimensions) for text in texts]
        vectors = vectors + np.array(apart, dtype=np.float32).reshape(len(texts), -1)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _answer(said: str) -> str:
    """An answer that the question permits: one of its options, a number that was said, or none."""
    asked = " ".join(question_of(said))
    chance = zlib.crc32(asked.encode())
    options = re.findall(r"[^\[|\]]+(?= [|\]])", asked.partition("[")[2])
    numbers = re.findall(r"\d+(?:\.\d+)?", said)
    found = [option.strip() for option in options] or numbers[-1:]
    return f" {found[chance % len(found)]}" if found and chance % 3 else " not mentioned"


def record() -> dict[str, Any]:
    """Readings and features of the texts that were recorded, as they are today.

    `rows` and `candidates`, shape (candidates, features): what was found near each utterance. `readings` and
    `features`, shape (readings, features): what was read of it. `what` names each reading, as JSON.
    """
    schema = load_schema(DEMONSTRATION_SCHEMA)
    with np.load(FILE, allow_pickle=False) as kept:
        texts = kept["texts"].tolist()
    embedder, filler = _Embedder(512), RowwiseFiller(FakeLlm(_answer))  # type: ignore[arg-type]
    rows, candidates, what = list[str](), list[tuple[float, ...]](), list[str]()
    numbers, features = list[tuple[float, ...]](), list[NDArray[np.float64]]()
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(schema, embedder, "golden", Path(folder), monitor=NOT_MONITORED)
        for number, text in enumerate(texts):
            segments = segment(text)
            pooled = sorted(reduction.pool(schema, segments, index, embedder, 10), key=lambda one: one.row_id)
            rows += [f"{number} {one.row_id}" for one in pooled]
            candidates += prior_features.prior_features(schema, segments, pooled)
            nearest = sorted(pooled, key=lambda one: -one.hits[0].fit)[:_ROWS]
            asked = [replace(one, prior=0.5) for one in nearest]
            task = Task(text, segments, schema, ReducedSchema(tuple(asked)), _TODAY)
            readings = filler.read(task, NOT_MONITORED)
            what += [_named(number, reading) for reading in readings]
            numbers += [
                (one.mentioned, one.probability, float(one.rank), one.lead, one.permitted_mass) for one in readings
            ]
            scores = [
                [(zlib.crc32(f"{probe} {_named(number, one)}".encode()) % 1000) / 1000 for one in readings]
                for probe in acceptance_features.PROBES
            ]
            features.append(np.array(acceptance_features.acceptance_features(task, readings, *scores)))
    return {
        "texts": np.array(texts),
        "versions": np.array([READING_VERSION, FEATURE_VERSION]),
        "rows": np.array(rows),
        "candidates": np.array(candidates, dtype=np.float32),
        "what": np.array(what),
        "readings": np.array(numbers, dtype=np.float32),
        "features": np.concatenate([one for one in features if one.size]).astype(np.float32),
    }


def _named(text: int, reading: Reading) -> str:
    return json.dumps([text, reading.row.id, reading.value, reading.segment.index, reading.span])


def main() -> None:
    np.savez_compressed(FILE, **record())
    print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
