"""How many files a plain sentence executes from transcript to proposals: steps without work are skipped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest

from extraction.annotation.case_files import CASE_SAID_AT
from extraction.confidence.learned_models import shipped
from extraction.extractor import Extraction
from extraction.filling.answer_cache import CachingFiller
from extraction.growing_extraction import GrowingExtraction
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.index import open_index
from extraction.retrieval.reduction import reduce
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from resources import DEMONSTRATION_SCHEMA
from tests.kit.fake_models import FakeEmbedder, FakeLlm

_ROOT = Path(__file__).parents[3]
_PRODUCT = tuple(f"{_ROOT / room}/" for room in ("app", "extraction", "models"))
PLAIN = "Heart rate is 110."
# From transcript to proposals, with everything loaded and cached.
MOST_FILES, MOST_JUMPS = 69, 740


def entered(work: Callable[[], object]) -> list[str]:
    """The file of each call of a product function, in order."""
    files: list[str] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_PRODUCT):
            files.append(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return files


@pytest.fixture
def extracted(tmp_path: Path) -> Callable[[str], Extraction]:
    """The extraction of a text, with fakes of the embedder and the language model."""
    schema, embedder = load_schema(DEMONSTRATION_SCHEMA), FakeEmbedder(512)
    model = FakeLlm(lambda said: " 110" if "Heart rate" in said.split("\n")[-1] else " not mentioned")
    filler, known = CachingFiller(cast(Any, model), {}), shipped()
    index = open_index(schema, embedder, "fake", tmp_path, monitor=NOT_MONITORED)

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        return reduce(schema, segments, index, embedder, 10, known.prior)

    def extract(text: str) -> Extraction:
        context = EncounterContext(CASE_SAID_AT)
        values = GrowingExtraction(schema, context, filler, reduced, known, None, NOT_MONITORED)
        while not values.covers(text):
            values.read(text)
        return values.extraction

    return extract


def test_a_plain_sentence_executes_few_files(extracted: Callable[[str], Extraction]) -> None:
    found = extracted(PLAIN)
    assert [(value.row_id, value.value) for value in found.proposals.values] == [("vs.heart_rate", 110.0)]
    extracted("Blood pressure is 120 over 80.")
    files = entered(lambda: extracted(PLAIN))
    jumps = sum(one != other for one, other in pairwise(files))
    names = sorted({str(Path(one).relative_to(_ROOT)) for one in files})
    assert len(names) <= MOST_FILES, names
    assert jumps <= MOST_JUMPS
    more = entered(lambda: extracted("No redness at the left forearm IV at 0630, correction, right forearm."))
    assert len(set(more)) > len(set(files)), "steps with work to do are executed"
