"""A small ward for the conditions of an ablation: schema, cases, examples, and an inference process of fakes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from app.evaluation.papers.ablation.generation import Generation
from app.evaluation.papers.ablation.tasks import read_by
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from extraction.annotation.case_files import Case, Cases, Observation
from extraction.filling.task import Reading
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import Candidate, Hit
from models.base.progress import ProgressMonitor
from speech.transcript import Transcript
from tests.kit.fake_models import FakeEmbedder, FakeLlm, runtimes_of, sentence_and_row
from tests.kit.steps import NO_TIME, followed

Result = TypeVar("Result")


def row(row_id: str, name: str, kind: ValueType, *options: str, unit_of: str | None = None) -> Row:
    return Row(row_id, name, kind, ("Ward",), tuple(map(Option, options)), unit_of=unit_of)


SCHEMA = Schema(
    "t",
    "Test",
    "1",
    (
        row("hr", "Step count", ValueType.NUMERIC),
        row("hr_unit", "Step count unit", ValueType.SINGLE_SELECT, "bpm", "Hz", unit_of="hr"),
        row("nail", "Nailbed color", ValueType.SINGLE_SELECT, "pale", "pink"),
        row("skin", "Skin condition", ValueType.MULTI_SELECT, "red", "dry", "warm"),
        row("pain", "Pain description", ValueType.TEXT),
        row("nausea", "Nausea", ValueType.YES_NO),
        row("diet", "Diet type", ValueType.SINGLE_SELECT, "soft", "regular"),
    ),
    "0" * 64,
    "test.json",
)


def case(case_id: str, text: str, **charted: Any) -> Case:
    return Case(case_id, text, tuple(Observation(row_id, value) for row_id, value in charted.items()))


CASES = Cases(
    (
        case("w1", "Step count is 110.\n\nNailbed color is pale. Slept well.", hr=110.0, hr_unit="bpm", nail="pale"),
        case("w2", "Skin condition is red and dry. She ate the regular tray.", skin=("red", "dry"), diet="regular"),
        case("w3", "No nausea. Step count is 72.", nausea=False, hr=72.0),
    ),
    (),
    "1" * 64,
)
EXAMPLES = Cases(
    (
        case("e1", "She ate the soft tray. Step count was 80.", diet="soft", hr=80.0),
        case("e2", "Skin condition is warm. Some nausea this morning.", skin=("warm",), nausea=True),
        case("e3", "Nailbed color is pink. Step count is 95.", nail="pink", hr=95.0),
    ),
    (),
    "2" * 64,
)


class FakeDoor:
    """The inference process in this one: fakes for the models, and a product that proposes the step count of 110.

    Attributes:
        filled: each text that was read, with `product` or the name of the condition.
        failing: what reading raises next.
    """

    def __init__(self, context_tokens: int = 20_000) -> None:
        self.models = {"filler": "f", "embedder": "e"}
        self.llm = FakeLlm(_answer, context_tokens=context_tokens)
        self.runtimes = runtimes_of(llm=self.llm, embedder=FakeEmbedder())
        self.filled: list[tuple[str, str]] = []
        self.failing: list[Exception] = []

    def __enter__(self) -> FakeDoor:
        return self

    def __exit__(self, *_: object) -> None: ...

    def call(
        self,
        role: str,
        function: Callable[..., Result],
        monitor: ProgressMonitor,
        **arguments: Any,
    ) -> Result:
        if function is read_by:
            self._note(arguments["condition"].name, arguments["given"].text)
        return function(self.runtimes, monitor=monitor, **arguments)

    def transcribe(self, *_: object) -> Outcome[Transcript]:
        raise AssertionError("the text of a case is known")

    def read_file(self, source: Transcript, schema: Schema, context: EncounterContext, *_: object) -> Outcome[Followed]:
        self._note("product", source.text)
        found = followed(source, schema, context, lambda _: Proposals((_STEPS,), ()), candidate("hr"))
        return Outcome(found, 0.0, 10, 1, {"filler": "cpu"}, NO_TIME)

    def _note(self, name: str, text: str) -> None:
        if self.failing:
            raise self.failing.pop(0)
        self.filled.append((name, text))


_STEPS = FilledValue(
    "hr", 110.0, None, Evidence(0, 5, "", 0, 5), -0.1, 0.1, 0.9, 0.5, Neighbour("row", "hr", 0), "rowwise"
)


def _answer(said: str) -> str:
    """The step count of 110 where it was said; no topic goes on."""
    sentence, row = sentence_and_row(said)
    if not row.startswith("Step count"):
        return " Yes" if "topic" in said else " not mentioned"
    return " 110" if "110" in sentence else " not mentioned"


def candidate(row_id: str, *segments: int) -> Candidate:
    hits = (Hit(at, 0.5, 0.5, 0.0, 0, 12, 0.0, 0.0, Neighbour("row", row_id, at)) for at in segments or (0,))
    return Candidate(row_id, tuple(hits))


def scripted(monkeypatch: Any, answer: Callable[[str], dict[str, Any]]) -> list[str]:
    """Lets the JSON strategy answer as `answer` says, given the prompt; returns the prompts as they come."""
    prompts: list[str] = []

    def generated(llm: FakeLlm, grammar: str, **_: Any) -> Generation:
        prompts.append("".join(map(chr, llm.read[0])))
        return Generation(json.dumps(answer(prompts[-1])), (-0.1, -0.2), complete=True)

    monkeypatch.setattr("app.evaluation.papers.ablation.json_object.generate", generated)
    return prompts


def shown_rows(prompt: str) -> list[str]:
    """The names of the rows in a prompt's JSON Schema."""
    schema = json.loads(re.search(r"JSON Schema:\n(.*)\n", prompt)[1])  # type: ignore[index]
    return [name for category in schema["properties"].values() for name in category["properties"]]


def read_of(readings: Sequence[Reading]) -> dict[str, Any]:
    return {reading.row.id: reading.value for reading in readings}
