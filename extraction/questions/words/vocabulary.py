"""Words of questions; resources/language/<language>/questions.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import whole_words
from extraction.language.vocabulary.words import stems


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """Patterns and words of questions; the data file explains each.

    Attributes:
        patterns: by key, every list of phrases at the top of the file.
        harmless, pronouns, foreign: single words.
        talk: single words of clauses that go before a question and mean nothing for it, beside harmless ones.
        determiners: words that a name may have within it.
        idle: stems that names of rows may lack.
        generic, generic_options: stems that alone name no row, and no option.
        contextual: stems in the names of rows whose options name nothing without their row; `symptoms`
            the same for options of one word.
        alike: rows that count alike, by their names.
        means: by a phrase of questions, the names of the rows that it means, likeliest first.
        sets: by a phrase, the names of the rows that are all asked for.
        measured: by a word, the names of the rows that a number behind it is of; without one, it names none.
        units: by a unit, the names of the rows that a number with it alone is of.
        oxygen: words for being given oxygen; `oxygen_rows` records it, with one of `room_air` if it is not.
        parts: words for one of the two numbers of a blood pressure.
        weekdays: the days of the week, from Monday.
    """

    patterns: Mapping[str, re.Pattern[str]]
    harmless: frozenset[str]
    pronouns: frozenset[str]
    determiners: re.Pattern[str]
    foreign: frozenset[str]
    talk: frozenset[str]
    idle: frozenset[str]
    generic: frozenset[str]
    generic_options: frozenset[str]
    contextual: frozenset[str]
    symptoms: frozenset[str]
    alike: tuple[tuple[str, ...], ...]
    means: Mapping[str, tuple[str, ...]]
    sets: Mapping[str, tuple[str, ...]]
    measured: Mapping[str, tuple[str, ...]]
    units: Mapping[str, tuple[str, ...]]
    oxygen: re.Pattern[str]
    oxygen_rows: tuple[str, ...]
    room_air: tuple[str, ...]
    parts: Mapping[str, re.Pattern[str]]
    weekdays: tuple[re.Pattern[str], ...]

    def find(self, key: str, text: str) -> re.Match[str] | None:
        """The first phrase of a list in a text."""
        return self.patterns[key].search(text)


@of_vocabularies
def question_words() -> QuestionWords:
    """Raises InputError if the ward's own file is invalid."""
    data = cues("questions")
    oxygen = data["oxygen"]
    return QuestionWords(
        patterns={
            key: whole_words(of) for key, of in data.items() if isinstance(of, list) and not key.endswith("_words")
        },
        harmless=frozenset(data["harmless_words"]),
        pronouns=frozenset(data["pronoun_words"]),
        determiners=whole_words(data["determiner_words"]),
        foreign=frozenset(data["foreign_words"]),
        talk=frozenset(data["talk_words"]),
        idle=stems(" ".join(data["idle_words"])),
        generic=stems(" ".join(data["generic_words"])),
        generic_options=stems(" ".join(data["generic_option_words"])),
        contextual=stems(" ".join(data["contextual_words"])),
        symptoms=stems(" ".join(data["symptom_words"])),
        alike=tuple(map(tuple, data["alike"].values())),
        means={phrase: tuple(names) for phrase, names in data["means"].items()},
        sets={phrase: tuple(names) for phrase, names in data["sets"].items()},
        measured={word: tuple(names) for word, names in data["measured"].items()},
        units={unit: tuple(names) for unit, names in data["units"].items()},
        oxygen=whole_words(oxygen["said"]),
        oxygen_rows=tuple(oxygen["rows"]),
        room_air=tuple(oxygen["without"]),
        parts={part: whole_words(words) for part, words in data["parts"].items()},
        weekdays=tuple(map(whole_words, data["weekdays"].values())),
    )
