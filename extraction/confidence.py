"""How likely a reading is right: a logistic model over what the filler and the retrieval said about it.

The features name no row and no hospital, so that the coefficients carry over to any schema. How they were fitted, on
what, and how well they separate stands in the file itself (resources/confidence.json) and in docs/extraction.md.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from extraction.fill import Reading
from extraction.schema import ValueType

FEATURES = (
    "mentioned_logit",
    "value_log_probability",
    "permitted_log_mass",
    "relevance",
    "rank",
    "segments",
    "log_choices",
    "value_words_said",
    "name_words_said",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
)
_WORD = re.compile(r"[a-z0-9]+")
_SMALL_WORDS = frozenset("a an and any at by for from in is no not of on or the to with".split())
_SAID = frozenset(
    {
        ValueType.NUMERIC,
        ValueType.QUANTITY,
        ValueType.BLOOD_PRESSURE,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATE_TIME,
    }
)


def features(reading: Reading) -> tuple[float, ...]:
    """The numbers named in FEATURES, in their order."""
    row, candidate = reading.row, reading.candidate
    mentioned = min(max(reading.mentioned, 1e-4), 1 - 1e-4)
    kind = row.value_type
    sentence = _words(reading.segment.text)
    value = _words(" ".join(reading.value) if isinstance(reading.value, tuple) else str(reading.value))
    yes_no = kind is ValueType.YES_NO or {name.casefold() for name in row.option_names} == {"yes", "no"}
    return (
        math.log(mentioned / (1 - mentioned)),
        math.log(max(reading.probability, 1e-4)),
        math.log(max(reading.permitted_mass, 1e-4)),
        candidate.relevance,
        float(min(hit.rank for hit in candidate.hits)),
        float(min(len(candidate.hits), 5)),
        math.log(len(row.options) or 1),
        _share(value, sentence),
        max(_share(_words(name), sentence) for name in (row.name, *row.synonyms)),
        float(yes_no),
        float(kind is ValueType.MULTI_SELECT),
        float(kind in _SAID),
        float(kind is ValueType.TEXT),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _SMALL_WORDS)


def stem(word: str) -> str:
    """Enough to let 'wheezes' meet 'wheezing' and 'clots' meet 'clot'."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e")


def _share(words: frozenset[str], said: frozenset[str]) -> float:
    return len(words & said) / len(words) if words else 0.0


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Coefficients on the features, an intercept, and the confidence from which a reading is proposed."""

    coefficients: tuple[float, ...]
    intercept: float
    propose_from: float

    def confidence(self, reading: Reading) -> float:
        """Estimated probability that the reading is right, 0 to 1."""
        score = self.intercept + sum(c * x for c, x in zip(self.coefficients, features(reading), strict=True))
        return 1 / (1 + math.exp(-max(min(score, 30.0), -30.0)))


@cache
def default_model() -> ConfidenceModel:
    """The coefficients shipped with the product, for a hospital without annotated cases."""
    data = json.loads((files("resources") / "confidence.json").read_text(encoding="utf-8"))
    if tuple(data["features"]) != FEATURES:
        raise ValueError("resources/confidence.json was fitted on other features than the code computes")
    return ConfidenceModel(tuple(data["coefficients"]), data["intercept"], data["propose_from"])
