"""The statement matcher on the real embedder's tokens."""

from __future__ import annotations

import numpy as np
import pytest

import resources
from app.system import paths
from extraction.estimators.statement_matcher import StatementMatcher, TokenCache
from extraction.flowsheet.naming.row_concepts import concepts
from fitting.matcher import examples_of_sentences, fit_matcher
from fitting.statement_files import read_statements
from models.base.progress import NOT_MONITORED
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.embedder import EmbedderRuntime

pytestmark = [pytest.mark.models, pytest.mark.extensive]


@pytest.fixture(scope="module")
def embedder() -> EmbedderRuntime:
    return EmbedderRuntime(Registry(load_manifest(), paths.models_dir()).path("minilm-l6-v2"), threads=2)


def test_tokens_cover_the_words_of_their_text(embedder: EmbedderRuntime) -> None:
    texts = ["BP 138/70, sats okay.", "", "Ünïcode é 37,5 °C", "pale"]
    for text, (ids, places, states) in zip(texts, embedder.encode_tokens(texts), strict=True):
        assert len(ids) == len(places) == len(states)
        covered = {place for start, end in places.tolist() for place in range(start, end)}
        assert covered == {place for place, letter in enumerate(text) if not letter.isspace()}
        assert np.isfinite(states).all()
    assert embedder.token_inputs.shape[1] == embedder.encode_tokens(["pale"])[0][2].shape[1]


def test_a_text_has_the_same_tokens_alone_and_among_others(embedder: EmbedderRuntime) -> None:
    alone = embedder.encode_tokens(["pale"])[0]
    among = embedder.encode_tokens(["pale", "a much longer text about the colour of her nailbeds"])[0]
    assert alone[0].tolist() == among[0].tolist()
    np.testing.assert_allclose(alone[2].astype(float), among[2].astype(float), atol=5e-3)


def test_a_matcher_learns_from_the_corpus(embedder: EmbedderRuntime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fitting.matcher._WARMUP", 5)
    file = resources.FOLDER / "corpus" / "statements" / "neuro.jsonl"
    examples = examples_of_sentences(read_statements(file, concepts())[:150])
    matcher = StatementMatcher(fit_matcher(examples, TokenCache(embedder), embedder, NOT_MONITORED), embedder)
    odds = np.array(matcher.log_odds([one.statement for one in examples]))
    true = np.array([one.is_true for one in examples])
    assert odds[true].mean() > odds[~true].mean() + 0.1
