"""How much of the program a plain sentence enters on its way from transcript to proposals: what has nothing to do is
passed over."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

from app import tasks
from app.desk import DEMONSTRATION_SCHEMA
from extraction.binding import ReadingMethod
from extraction.cases import CASE_SAID_AT
from extraction.extractor import Extraction
from extraction.meaning import Beside
from extraction.schema_file import load_schema
from models.progress import ignore_progress, never_cancelled
from tests.fakes import FakeEmbedder, FakeLlm, runtimes_of

_ROOT = Path(__file__).parents[2]
_PRODUCT = tuple(f"{_ROOT / room}/" for room in ("app", "extraction", "models"))
PLAIN = "Heart rate is 110."
# From the transcript to the proposals, everything that was loaded or worked out once being there already.
MOST_FILES, MOST_JUMPS = 43, 230


def entered(work: Callable[[], object]) -> list[str]:
    """The file of each call of a function of the product, in order."""
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
    schema = load_schema(DEMONSTRATION_SCHEMA)
    model = FakeLlm(lambda said: " 110" if "Heart rate" in said.split("\n")[-1] else " not mentioned")
    models = {"embedder": FakeEmbedder(512), "llm": model}
    runtimes = runtimes_of("qwen2.5-coder-1.5b-q4", "minilm-l6-v2", **models)

    def extract(text: str) -> Extraction:
        return tasks.extract_text(
            runtimes,
            transcript=text,
            schema=schema,
            beside=Beside(CASE_SAID_AT),
            method=ReadingMethod(),
            index_folder=tmp_path,
            learned=None,
            progress=ignore_progress,
            cancelled=never_cancelled,
        ).value

    return extract


def test_a_plain_sentence_enters_few_files(extracted: Callable[[str], Extraction]) -> None:
    found = extracted(PLAIN)
    assert [(value.row_id, value.value) for value in found.proposals.values] == [("vs.heart_rate", 110.0)]
    extracted("Blood pressure is 120 over 80.")
    files = entered(lambda: extracted(PLAIN))
    jumps = sum(one != other for one, other in pairwise(files))
    names = sorted({str(Path(one).relative_to(_ROOT)) for one in files})
    assert len(names) <= MOST_FILES, names
    assert jumps <= MOST_JUMPS
    more = entered(lambda: extracted("No redness at the left forearm IV at 0630, correction, right forearm."))
    assert len(set(more)) > len(set(files)), "what has something to do is entered"
