"""Removes what identifies a person from the text of a dictation, as far as it is known.

It finds the patient's own name, record number and bed, and names after a title. It does not find other names, dates and
places in free text: a person must check the text before it leaves the ward.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from app.chart.records import Patient
from extraction.language.numbers import numbers

_PATIENT, _CLINICIAN, _BED, _RECORD = "the patient", "the clinician", "the bed", "the record number"
# words of the replacements are not treated as names, not even in an alias such as "Patient 7"
_NEUTRAL = frozenset(f"{_PATIENT} {_CLINICIAN} {_BED} {_RECORD}".split())
_LEAST_LETTERS = 3
_LETTER = r"[^\W\d_]"
_CAPITAL = r"[A-ZÀ-ÖØ-Þ]"
_PARTICLES = r"(?:(?:van|von|der|den|de|del|la|di|da|al|bin)[ ])*"
_REST = rf"(?:['’-]{_CAPITAL}\w*)*"
# a second word belongs to the name unless it is an abbreviation: "Mary Jones", but "Jones IV"
_NAME = (
    rf"(?:{_CAPITAL}\.[ \t]*)*{_PARTICLES}{_CAPITAL}\w*{_REST}"
    rf"(?:[ \t]+(?:{_CAPITAL}\.[ \t]+)?{_PARTICLES}{_CAPITAL}\w*[a-zß-öø-ÿ]\w*{_REST})?"
)
# case-sensitive: "MS" is a disease or a drug, and "miss" a verb
_PATIENTS_TITLE = r"(?<!\w)(?:[Mm]rs?|Ms|Miss)\b\.?[ \t]+"
_CLINICIANS_TITLE = r"(?<!\w)(?:[Dd]r|[Dd]octor|[Nn]urse|RN)\b\.?[ \t]+"
_BED_WORD = r"(?i:bed|room|bay)"


class Deidentifier:
    """Replaces the identifiers of one patient, and names after a title, with neutral words in any text.

    The bed is replaced after a word such as "bed" or "room" ("bed 4", "room four"), and everywhere if it mixes letters
    and digits: a bare 4 may be a pain score. Returned texts are in Unicode's composed form (NFC).
    """

    def __init__(self, patient: Patient) -> None:
        self._name = _name_pattern(unicodedata.normalize("NFC", patient.name))
        self._record = _record_pattern(unicodedata.normalize("NFC", patient.mrn))
        self._bed = re.sub(rf"^{_BED_WORD}\b\W*", "", unicodedata.normalize("NFC", patient.bed).strip())

    def __call__(self, text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        # one pass, so that replacements are not searched again
        ways = [
            (_RECORD, self._record),
            (_BED, "|".join(self._bed_patterns(text))),
            (_PATIENT, self._name),
            (_PATIENT, _PATIENTS_TITLE + _NAME),
            (_CLINICIAN, _CLINICIANS_TITLE + _NAME),
        ]
        known = [(words, pattern) for words, pattern in ways if pattern]
        either = re.compile(r"(?:\b[Tt]he[ ])?(?:" + "|".join(f"({pattern})" for _, pattern in known) + ")")
        return either.sub(lambda match: known[(match.lastindex or 0) - 1][0], text)

    def _bed_patterns(self, text: str) -> Iterator[str]:
        if not self._bed:
            return
        forms = {self._bed}
        if self._bed.isdecimal():
            forms |= {text[said.start : said.end] for said in numbers(text) if said.value == float(self._bed)}
        # "head of bed 30" is an angle, not a bed number
        called = rf"(?<!head of )(?<!head of the )\b{_BED_WORD}(?:[ \t]+(?i:number|no\.?))?(?:[ \t#:]+|(?=\d))"
        yield rf"{called}(?i:{_any(forms)})(?!\w)"
        if re.search(r"\d", self._bed) and re.search(_LETTER, self._bed):
            yield rf"(?<!\w)(?i:{re.escape(self._bed)})(?!\w)"


def _name_pattern(name: str) -> str:
    """A pattern for words of the name, alone or in a row, with initials and a title; empty if no word is usable."""
    parts = re.findall(rf"{_LETTER}+", name)
    long = {part for part in parts if len(part) >= _LEAST_LETTERS and part.lower() not in _NEUTRAL}
    if not long:
        return ""
    word = _whole_word(long)
    short = [part for part in parts if len(part) < _LEAST_LETTERS]
    before, after = "", ""
    if short:
        most = f"{{0,{len(short)}}}"  # without a limit, matching a long run of initials would take minutes
        before = rf"(?:{_whole_word(short)}[ \t.'’-]+){most}"
        after = rf"(?:[ \t]+{_whole_word(short)}){most}"
    said = rf"{before}{word}(?:(?:,?[ \t]+|['’-]){before}{word})*{after}"
    return rf"(?:\b(?i:patient)[ ,]+)?(?:{_PATIENTS_TITLE})?{said}"


def _record_pattern(mrn: str) -> str:
    """A pattern for the record number, also written in groups; empty for a text without a digit ("unknown")."""
    if not re.search(r"\d", mrn):
        return ""
    grouped = r"[\s./-]*".join(re.escape(character) for character in mrn if character.isalnum())
    return rf"(?:\b(?i:(?:medical[ ])?record[ ]number|mrn)(?:[ ]is)?[ #:]*|(?<!\w))(?i:{grouped})(?!\w)"


def _whole_word(words: Iterable[str]) -> str:
    return rf"(?<!{_LETTER})(?i:{_any(words)})(?!{_LETTER})"


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))
