"""How many words, and how many clinical terms, speech recognition gets wrong, with and without terms of the schema.

    python -m tests.benchmarks.speech DIR

For each `NAME.wav` in the folder, `NAME.txt` says what was spoken. Numbers are compared by their values ("a hundred
and fifty" is 150). Clinical terms are numbers and the words of the names and options of the bedside concepts.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from app.system import paths
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.naming.speech_terms import schema_terms
from extraction.language.numbers import numbers
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.whisper import WhisperRuntime
from speech.transcribe import transcribe

_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_CLOCK = re.compile(r"\b(\d?\d):(\d\d)\b")
_LETTERS = re.compile("[a-z]+")
_LEAST_LETTERS = 4  # shorter ones are mostly function words
_SHOWN = 40


class Errors(NamedTuple):
    """Counts of words that were spoken, of those that are clinical terms, and of errors in both."""

    words: int = 0
    wrong: int = 0
    terms: int = 0
    terms_wrong: int = 0

    def plus(self, other: Errors) -> Errors:
        return Errors(*(a + b for a, b in zip(self, other, strict=True)))


@cache
def clinical_words() -> frozenset[str]:
    """The longer words of the names and options of the bedside concepts."""
    told = (text for one in concepts().values() for text in (*one.rows, *one.options))
    words = {word for text in told for word in _LETTERS.findall(text.casefold()) if len(word) >= _LEAST_LETTERS}
    return frozenset(words - ENGLISH_STOP_WORDS)


def spoken_words(text: str) -> list[str]:
    """Words and numbers in lower case, numbers as digits."""
    found, reached = [], 0
    text = _CLOCK.sub(r"\1\2", text.replace("%", " percent "))
    for number in numbers(text):
        found += _WORD.findall(text[reached : number.start].casefold())
        if found[-1:] == ["a"]:  # a hundred
            found.pop()
        found.append(f"{number.value:g}")
        reached = max(reached, number.end)
    return [*found, *_WORD.findall(text[reached:].casefold())]


def compared(spoken: str, heard: str) -> tuple[Errors, Iterator[tuple[str, str]]]:
    """The errors of a transcript, and each clinical term that was lost with the words in its place."""
    said, written = spoken_words(spoken), spoken_words(heard)
    wrong, lost = 0, []
    for step in Levenshtein.opcodes(said, written):
        if step.tag == "equal":
            continue
        here, there = said[step.src_start : step.src_end], written[step.dest_start : step.dest_end]
        wrong += max(len(here), len(there))
        lost += [(word, " ".join(there)) for word in here if _is_term(word) and word not in there]
    terms = sum(map(_is_term, said))
    return Errors(len(said), wrong, terms, len(lost)), iter(lost)


def _is_term(word: str) -> bool:
    return word[0].isdigit() or not {word, word.removesuffix("s")}.isdisjoint(clinical_words())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    schema = load_schema(Path(str(files("resources"))) / "schemas" / "medsurg_icu.json")
    registry = Registry(load_manifest(), paths.models_dir())
    runtime = WhisperRuntime(registry.path(registry.resolve("speech").id), threads=1, at_once=2)
    recordings = sorted(parser.parse_args().folder.glob("*.wav"))
    for name, terms in (("without terms", ()), ("with terms", schema_terms(schema))):
        errors, lost, start = Errors(), Counter[tuple[str, str]](), time.monotonic()
        for recording in recordings:
            heard = transcribe(runtime, recording, terms, NOT_MONITORED).text
            found, missed = compared(recording.with_suffix(".txt").read_text(encoding="utf-8"), heard)
            errors = errors.plus(found)
            lost.update(missed)
        print(
            f"{name}: {len(recordings)} recordings, {errors.words} words, {errors.wrong / errors.words:.1%} wrong; "
            f"{errors.terms} clinical terms, {errors.terms_wrong / errors.terms:.1%} wrong; "
            f"{time.monotonic() - start:.0f} s",
            flush=True,
        )
        for (term, there), count in lost.most_common(_SHOWN):
            print(f"  {term} -> {there or '(nothing)'}" + (f" ({count})" if count > 1 else ""))


if __name__ == "__main__":
    main()
