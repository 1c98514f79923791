"""Words of charting by exception; resources/language/<language>/exception.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words


@dataclass(frozen=True, slots=True)
class ExceptionCues:
    """Patterns of a statement that a category is within its limits; the data file explains each.

    Attributes:
        limits: states that a category is within its limits.
        exception: introduces the exceptions, including punctuation around it.
        joint: separates categories.
        around: words that may surround the names of categories.
        everything: refers to all categories at once; must match fully.
    """

    limits: re.Pattern[str]
    exception: re.Pattern[str]
    joint: re.Pattern[str]
    around: re.Pattern[str]
    everything: re.Pattern[str]


@of_vocabularies
def exception_cues() -> ExceptionCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("exception")
    behind = rf"(?:{any_of(of['joints'])}\b[\s,:]*)*(?:{any_of(of['articles'])}\s+)?"
    return ExceptionCues(
        limits=compiled(rf"\b{any_of(of['limits'])}(?![\w-])"),
        exception=compiled(rf"[\s,;:.–—-]*\b{any_of(of['except'])}\b[\s,:]*{behind}"),
        joint=compiled(rf"\s*(?:,|/|&|\b{any_of(of['and'])}\b)\s*"),
        around=whole_words(of["around"]),
        everything=compiled(any_of(of["everything"])),
    )
