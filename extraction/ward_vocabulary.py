"""Lists and checks the ward's additions to the vocabularies (`extraction.language.vocabulary.loader`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extraction.flowsheet.naming.instance_names import called_words, role_words
from extraction.flowsheet.naming.number_names import name_words
from extraction.flowsheet.naming.row_concepts import PREFIX, concepts
from extraction.flowsheet.naming.row_meaning import temperature_words, total_words
from extraction.flowsheet.unit_conversion import check_spoken_units
from extraction.language.assertion import assertion_cues
from extraction.language.body_sites import body_words
from extraction.language.clock_forms import clock_forms
from extraction.language.described_lines import line_patterns
from extraction.language.measuring.sizes import size_patterns
from extraction.language.negation import negation_cues
from extraction.language.past_states import former_cues
from extraction.language.sentences import sentence_cues
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.alike_names import alike_names
from extraction.language.vocabulary.confusable_words import confusable
from extraction.language.vocabulary.correction_cues import correction_cues
from extraction.language.vocabulary.exception_cues import exception_cues
from extraction.language.vocabulary.loader import (
    LANGUAGE,
    shipped_vocabulary,
    vocabulary,
    vocabulary_names,
    ward_file,
    ward_folder,
)
from extraction.language.vocabulary.measurements import measurement_cues, measurements
from extraction.language.vocabulary.mention_cues import mention_cues
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.patient_cues import newborn_cues, patient_cues
from extraction.language.vocabulary.time_cues import time_cues
from extraction.preparation.people.patient_names import forms
from extraction.questions.words.vocabulary import question_words
from models.base.errors import InputError

# What reads each vocabulary; raises InputError for an invalid one.
_READERS: Mapping[str, Callable[[], object]] = {
    "abbreviations": abbreviations,
    "alike": alike_names,
    "assertion": assertion_cues,
    "body_sites": body_words,
    "confusable": lambda: confusable(LANGUAGE),
    "corrections": correction_cues,
    "mentions": mention_cues,
    "exception": exception_cues,
    "former": former_cues,
    "lines": line_patterns,
    "measurement_cues": measurement_cues,
    "measurements": measurements,
    "negation": negation_cues,
    "newborns": newborn_cues,
    "numbers": number_words,
    "questions": question_words,
    "patients": lambda: (patient_cues(), forms()),
    "row_names": lambda: (role_words(), called_words(), name_words(), temperature_words(), total_words()),
    "sentences": sentence_cues,
    "sizes": size_patterns,
    "units": check_spoken_units,
    "times": lambda: (time_cues(), clock_forms()),
    **dict.fromkeys((name for name in vocabulary_names() if name.startswith(PREFIX)), concepts),
}


@dataclass(frozen=True, slots=True)
class Addition:
    """One of the ward's files, with the number of entries it adds, or why it is invalid."""

    path: Path
    entries: int = 0
    fault: InputError | None = None


def additions() -> Iterator[Addition]:
    """The ward's files in order; a file that no vocabulary reads is reported as a fault."""
    folder = ward_folder()
    for path in sorted(folder.rglob("*.toml")) if folder else ():
        if path.stem not in vocabulary_names() or path != ward_file(path.stem):
            names = ", ".join(f"{LANGUAGE}/{name}.toml" for name in vocabulary_names())
            yield Addition(
                path, fault=InputError(f"{path} adds to no vocabulary.", f"There are: {names}.", retryable=True)
            )
            continue
        try:
            _READERS[path.stem]()
        except InputError as error:
            yield Addition(path, fault=error)
        else:
            yield Addition(path, _count(vocabulary(path.stem)) - _count(shipped_vocabulary(path.stem)))


def check_vocabularies() -> None:
    """Reads every vocabulary with the ward's additions.

    Raises InputError for the first invalid file.
    """
    for addition in additions():
        if addition.fault:
            raise addition.fault
    for read in _READERS.values():
        read()


def _count(entry: Any) -> int:
    """The number of entries in all lists and tables."""
    if isinstance(entry, Mapping):
        return sum(map(_count, entry.values()))
    return len(entry) if isinstance(entry, list) else 1
