"""Gates before and after the tree: what is refused at once, and what must not be left over."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set
from typing import cast

from extraction.flowsheet.schema import Schema
from extraction.language.vocabulary.words import stems
from extraction.questions.query import Reason, Refusal, Window
from extraction.questions.ward import WardFacts
from extraction.questions.words.names import Rank
from extraction.questions.words.tags import Tag, Tagged
from extraction.questions.words.vocabulary import question_words

_MOST_WORDS = 60
_MOST_CHARACTERS = 500
_NEAREST = 3  # rows shown beside a refusal
_LEAST_NEAR = 80  # of 100
_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(r"\s*(>=|<=|≥|≤|>|<)\s*")
_CODE = re.compile(r"[{}\\;|`]|--|/\*|< ?[a-z/!]|1\s*=\s*1", re.IGNORECASE)


def cleaned(question: str) -> str:
    """A question in plain characters, with single blanks."""
    text = unicodedata.normalize("NFKC", question).replace("’", "'").replace("‘", "'").replace("–", "-")
    text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(_SIGN.sub(r" \1 ", text).split())


def refused_at_once(text: str, tagged: Tagged | None = None) -> Refusal | None:
    """Why a question is not read at all; None if it is."""
    if not _WORD.search(text):
        return Refusal(Reason.NO_QUESTION)
    if len(text) > _MOST_CHARACTERS or len(text.split()) > _MOST_WORDS:
        return Refusal(Reason.TOO_LONG)
    words = question_words()
    if _CODE.search(text):
        return Refusal(Reason.NOT_UNDERSTOOD, _CODE.search(text).group())  # type: ignore[union-attr]
    if found := words.find("instructions", text):
        return Refusal(Reason.NOT_UNDERSTOOD, found.group())
    if _is_foreign(text):
        return Refusal(Reason.NOT_ENGLISH)
    return None


def advice_or_forecast(text: str) -> Refusal | None:
    """Whether advice or a forecast is asked for."""
    words = question_words()
    if words.find("quote", text):
        return None
    found = [
        (match.start(), reason, match.group())
        for key, reason in (("prediction", Reason.PREDICTION), ("advice", Reason.ADVICE))
        if (match := words.find(key, text))
    ]
    return Refusal(*min(found, key=lambda one: one[0])[1:]) if found else None


def _is_foreign(text: str) -> bool:
    said = [word.lower() for word in _WORD.findall(text)]
    letters = "".join(said)
    if sum(not ("a" <= letter <= "z") for letter in letters) * 4 > len(letters):
        return True
    words = question_words()
    foreign = sum(word in words.foreign for word in said)
    return foreign >= 2 and foreign > sum(word in words.harmless for word in said)


def unknown(question: Tagged, schema: Schema, ward: WardFacts) -> Refusal | None:
    """Why what a question names cannot be had: patients, windows, or what other systems keep; None if it can."""
    for tag in question.of("subject"):
        if tag.value.refusal is not None:
            return cast("Refusal", tag.value.refusal)
    if name := _other_name(question):
        return Refusal(Reason.UNKNOWN_PATIENT, name)
    quoted = quote_start(question) is not None or question.has("before_after")
    for said in () if quoted else question_words().patterns["elsewhere"].finditer(question.text):
        if not any(
            _names_row(tag) and tag.start <= said.start() and said.end() <= tag.end for tag in question.of("name")
        ):
            return Refusal(Reason.NOT_IN_THE_NOTES, said.group(), _near(said.group(), schema))
    for tag in question.of("window"):
        if refusal := _outside(tag.value.window, ward):
            return refusal
    return None


def _names_row(tag: Tag) -> bool:
    return bool(tag.value.rows) and tag.value.rows[0].rank <= Rank.SYNONYM


def _outside(window: Window, ward: WardFacts) -> Refusal | None:
    if ward.first_note is not None and window.until is not None and window.until <= ward.first_note:
        return Refusal(Reason.NO_SUCH_WINDOW, window.words)
    if window.since is not None and window.since > ward.now:
        return Refusal(Reason.NO_SUCH_WINDOW, window.words)
    return None


def quote_start(question: Tagged) -> int | None:
    """Where the topic begins of which the words of dictations are asked for; None if they are not.

    Nothing but the patient may stand before: "without mention of" asks for no words.
    """
    found = question_words().find("quote", question.text)
    before = [tag for tag in (*question.tags, *question.left) if found and tag.start < found.start()]
    idle = all(tag.kind in ("subject", "window") for tag in before if found and tag.end <= found.start())
    return found.end() if found and idle else None


def left_over(question: Tagged, used: Set[Tag], unused: Sequence[Tag], schema: Schema) -> Refusal | None:
    """The refusal that names words which the tree leaves out; None if there are none."""
    words = [tag.words for tag in question.left if tag not in used]
    if words:
        named = [tag.words for tag in question.tags if tag.kind == "name"]
        near = _near(" ".join(words), schema) or _near(" ".join((*named, *words)), schema)
        return Refusal(Reason.NOT_IN_THE_NOTES, " ".join(words), near)
    if unused:
        names = [tag.words for tag in unused if tag.kind == "name"]
        reason = Reason.NOT_IN_THE_NOTES if names and len(names) == len(unused) else Reason.NOT_UNDERSTOOD
        shown = " ".join(names or [tag.words for tag in unused]).strip()
        rows = [one.row.name for tag in unused if tag.kind == "name" for one in tag.value.options]
        near = tuple(dict.fromkeys(rows))[:_NEAREST] or (_near(shown, schema) if names else ())
        return Refusal(reason, shown, near)
    return None


def _other_name(question: Tagged) -> str | None:
    """A name of somebody whom the ward does not have: a title before it, two capitals, or a capital with "'s"."""
    if question.has("subject"):
        return None
    left = {tag.start: tag for tag in question.left}
    text = question.text
    for match in re.finditer(r"\b[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*", text):
        own = [tag for start, tag in left.items() if match.start() <= start < match.end()]
        if not own:
            continue
        titled = re.search(r"\b(?:mr|mrs|ms|miss|mister|patient)\.?\s*$", text[: own[0].start], re.IGNORECASE)
        several = sum(tag.words[:1].isupper() and not tag.words.isupper() for tag in own) >= 2
        owner = own[-1].words.lower().endswith("'s") and own[-1].words[:1].isupper() and own[-1].start > 0
        if titled or several or owner:
            return text[own[0].start : own[-1].end].removesuffix("'s")
    titled = re.search(r"\b(?:mr|mrs|ms|miss)\.?\s+(\w+)", text, re.IGNORECASE)
    return titled[1] if titled else None


def _near(words: str, schema: Schema) -> tuple[str, ...]:
    """Names of rows that come near to words, nearest first: by their letters, or else by the words that they share."""
    from rapidfuzz import fuzz, process

    names = [row.name for row in schema.rows if row.unit_of is None]
    found = process.extract(
        words.casefold(), names, scorer=fuzz.token_set_ratio, processor=str.casefold, score_cutoff=_LEAST_NEAR
    )
    if found:
        return tuple(name for name, _, _ in found[:_NEAREST])
    said = stems(words)
    shared = [(len(said & stems(name)), -len(name), name) for name in names if said & stems(name)]
    return tuple(name for _, _, name in sorted(shared, reverse=True)[:_NEAREST])
