"""Checks a model that a hospital adds: whether it works with Wardlight's questions, and how fast it is here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import resources
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.filling.prompts import prompts
from models.base.progress import ProgressMonitor
from models.errors import ModelFileError
from models.library.manifest import ModelEntry
from models.library.registry import Registry
from models.process.worker import WorkerProcess
from models.runtimes.closed_questions import Question, ask
from models.runtimes.gguf_facts import GgufFacts, read_gguf_facts
from models.runtimes.loaded import RuntimeConfig, Runtimes
from speech.transcribe import transcribe

# Plain statements, and questions about them with the index of the right answer. As on the ward, "not mentioned" is set
# aside: a small model says it too often, and what weighs the answers knows that.
_SAID = (
    "Her pulse is 88 and regular.",
    "She gets about with a frame.",
    "The urine was dark yellow this morning.",
    "Temperature 37.2, and the pain is 3 out of 10.",
    "Blood pressure is 132 over 74, sats 96 percent.",
)
_NUMBERS = (" not mentioned", " 88", " 37.2", " 3", " 96", " 132/74")
_QUESTIONS = (
    (Question("Pulse in /min:", _NUMBERS, aside=0), 1),
    (Question("Body temperature in Cel:", _NUMBERS, aside=0), 2),
    (Question("Pain score:", _NUMBERS, aside=0), 3),
    (Question("Oxygen saturation in %:", _NUMBERS, aside=0), 4),
    (Question("Blood pressure in mm[Hg]:", _NUMBERS, aside=0), 5),
    (Question("Walking aid:", (" not mentioned", " none", " cane", " crutches", " frame", " wheelchair"), aside=0), 4),
    (Question("Urine colour:", (" not mentioned", " clear", " straw", " dark yellow", " red", " brown"), aside=0), 3),
)
_FEWEST_RIGHT = 4
_LEAST_HEARD = 0.5


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """How a model did.

    Attributes:
        right: the share of what was asked or said that it got right, 0 to 1.
        speed: tokens that a language model reads per second, or seconds of speech that a Whisper model writes down.
    """

    right: float
    speed: float


def facts_of_gguf(path: Path, monitor: ProgressMonitor) -> GgufFacts:
    """Facts of a file that nobody has checked yet, read in a process of its own.

    Raises:
        ModelFileError: it cannot be read, or does not know the markers of the prompts; Cancelled.
    """
    worker = WorkerProcess(RuntimeConfig(None, None, None, "", "", "", threads=1, device="cpu"))
    try:
        facts = worker.run(_read_facts, monitor=monitor, path=path)
    finally:
        worker.close()
    if not facts.knows_markers:
        raise ModelFileError(
            f"{path.name} does not know the chat markers <|im_start|> and <|im_end|>, in which Wardlight asks.",
            "Choose an instruction-tuned model in the ChatML format, such as one of the Qwen family.",
        )
    return facts


def check_model(entry: ModelEntry, registry: Registry, settings: Settings, monitor: ProgressMonitor) -> ModelCheck:
    """Runs an installed model on a few plain sentences, or on the sample dictation.

    Raises:
        ModelFileError: it cannot be loaded; Cancelled, WorkerDied: see `models.process.worker`.
    """
    chosen = replace(settings, **{f"{entry.role}_model": entry.id})  # type: ignore[arg-type]  # a field of models
    run: Callable[..., ModelCheck] = _listen if entry.role == "speech" else _answer
    with Inference(chosen, registry) as inference:
        return inference.call(entry.role, run, monitor)


def refuse_useless(entry: ModelEntry, found: ModelCheck) -> None:
    """Raises ModelFileError if a model got too little right to be of use."""
    if entry.role == "speech" and found.right < _LEAST_HEARD:
        raise ModelFileError(
            f"{entry.title} heard {found.right:.0%} of the words of the sample dictation.",
            "Choose a Whisper model that knows English.",
        )
    if entry.role == "filler" and found.right * len(_QUESTIONS) < _FEWEST_RIGHT:
        raise ModelFileError(
            f"{entry.title} answered {found.right:.0%} of plain questions correctly.",
            "Choose an instruction-tuned model; the weights may also be damaged.",
        )


def _read_facts(_: Runtimes, *, path: Path, monitor: ProgressMonitor) -> GgufFacts:
    return read_gguf_facts(path)


def _answer(runtimes: Runtimes, *, monitor: ProgressMonitor) -> ModelCheck:
    words, llm = prompts(), runtimes.llm
    said = [words["sentence"].format(sentence=one) for one in _SAID]
    start, before = time.monotonic(), llm.tokens.prompt
    llm.set_prefix(words["before"], said, "", monitor.cancelled)
    speed = (llm.tokens.prompt - before) / (time.monotonic() - start)
    answers = ask(llm, [question for question, _ in _QUESTIONS], monitor)
    right = sum(answer.index == wanted for answer, (_, wanted) in zip(answers, _QUESTIONS, strict=True))
    return ModelCheck(right / len(_QUESTIONS), speed)


def _listen(runtimes: Runtimes, *, monitor: ProgressMonitor) -> ModelCheck:
    whisper, start = runtimes.whisper, time.monotonic()
    heard = transcribe(whisper, resources.SAMPLE_DICTATION, [], monitor)
    took = time.monotonic() - start
    text = resources.SAMPLE_DICTATION.with_name("dictation.txt").read_text(encoding="utf-8")
    said, found = _words(text), _words(heard.text)
    return ModelCheck(len(said & found) / len(said), heard.duration / took)


def _words(text: str) -> set[str]:
    return {word.strip(".,").casefold() for word in text.split()}
