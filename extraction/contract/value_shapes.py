"""What the texts of an export are: nothing, a number, a date, a code, or words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

from extraction.contract.header_language import english_words, plain_letters
from extraction.contract.records import FieldType

_NOTHING = frozenset(("", "null", "\\n", "-", "--", "n/a", "na", "none", "nil", "nan", "#n/a", "(null)", "<null>", "."))
# words that stand for nothing only where the field has other values of another kind
_PERHAPS_NOTHING = frozenset(("none", "na", "nil", "."))
_INTEGER = re.compile(r"[+-]?(?:\d{1,18}|\d{1,3}(?:,\d{3})+)")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")
_LEADING_ZERO = re.compile(r"0\d+")
_MONTH = "jan|feb|fév|mar|mär|mrt|maa|apr|avr|may|mai|mei|jun|juin|jul|juil|aug|aoû|sep|oct|okt|nov|dec|dez|déc"
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}/\d{1,2}/\d{1,2}"
    r"|\d{4}\.\d{1,2}\.\d{1,2}|\d{1,2}-\d{1,2}-\d{4}"
    rf"|\d{{1,2}}[-. ]+(?:{_MONTH})[^\W\d]*\.?[- ,]+\d{{2,4}}|(?:{_MONTH})[^\W\d]*\.? \d{{1,2}},? \d{{4}}",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"[T ,]*(?:\d{1,2}:|\d{1,2}h(?=\d))\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[ap]\.?m\.?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]*")
_EPOCH = re.compile(r"(?:9[5-9]\d|1[0-9]\d\d|20\d\d)\d{6}(?:\.\d+|\d{3})?")  # from 2000 to 2036
_DIGITS_OF_TIME = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:[T ]?(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?(?:[+-]\d{4})?")
_MONTHS = 12
_MONTH_NAMES = {
    name: number
    for number, names in enumerate(
        (
            "jan",
            "feb fev",
            "mar mrt maa",
            "apr avr",
            "may mai mei",
            "jun",
            "jul",
            "aug aou",
            "sep",
            "oct okt",
            "nov",
            "dec dez",
        ),
        1,
    )
    for name in names.split()
}
_OF_TIMES = frozenset(
    "time date at ts timestamp epoch ms when recorded observed charted taken measured entered stored filed saved"
    " created updated modified documented performed collected verified start end until from to valid on since"
    " effective dtm dttm dt birth dob".split()
)
_TIME_ENDINGS = ("time", "date", "dttm", "dtm", "stamp")
_BOOLEAN = frozenset(("y", "n", "yes", "no", "true", "false", "t", "f", "0", "1"))
_MOSTLY = 0.95
_MANY = 0.8  # codes without a digit look like words
LARGEST_NUMBER_LENGTH = 25


def is_nothing(text: str) -> bool:
    """Whether a cell holds no value: it is empty, or a mark for nothing such as NULL."""
    return text.strip().casefold() in _NOTHING - _PERHAPS_NOTHING


def type_of(values: Iterable[str]) -> FieldType:
    """The form of most values of a field; a field of mixed forms is text."""
    forms = Counter(_form(value.strip()) for value in values if not is_nothing(value))
    total = sum(forms.values())
    if not total:
        return FieldType.EMPTY
    for form, parts in _WIDER:
        if sum(forms[part] for part in parts) >= (_MANY if form is FieldType.CODE else _MOSTLY) * total:
            return form
    return FieldType.TEXT


_WIDER: tuple[tuple[FieldType, tuple[FieldType, ...]], ...] = (
    (FieldType.DATE, (FieldType.DATE,)),
    (FieldType.DATE_TIME, (FieldType.DATE_TIME, FieldType.DATE)),
    (FieldType.TIME, (FieldType.TIME,)),
    (FieldType.INTEGER, (FieldType.INTEGER,)),
    (FieldType.NUMBER, (FieldType.NUMBER, FieldType.INTEGER)),
    (FieldType.CODE, (FieldType.CODE, FieldType.INTEGER)),
)


def _form(value: str) -> FieldType:
    if _LEADING_ZERO.fullmatch(value):
        return FieldType.CODE
    if _INTEGER.fullmatch(value):
        return FieldType.INTEGER
    if _NUMBER.fullmatch(value):
        return FieldType.NUMBER
    if date := _DATE.match(value):
        rest = value[date.end() :]
        if not rest or rest in ("T", " "):
            return FieldType.DATE
        if _CLOCK.fullmatch(rest):
            return FieldType.DATE_TIME
    if _CLOCK.fullmatch(value):
        return FieldType.TIME
    marked = any(map(str.isdigit, value)) or re.search(r"\w[._:/]\w|^[A-Z]+_[A-Z]", value)
    return FieldType.CODE if marked and _CODE.fullmatch(value) else FieldType.TEXT


def is_day_first(values: Iterable[str]) -> bool:
    """Whether dates of a field such as 3/4/2026 begin with the day: as one of them shows, else as their marks do."""
    found = [match for value in values if (match := re.match(r"(\d{1,2})([/.-])(\d{1,2})\2\d{2,4}", value.strip()))]
    if any(int(match[1]) > _MONTHS for match in found):
        return True
    return not any(int(match[3]) > _MONTHS for match in found) and bool(found) and found[0][2] != "/"


def date_of(text: str, *, day_first: bool) -> date | None:
    """The day of a date or a time in one of the forms of exports; None if it is none.

    Args:
        day_first: see `is_day_first`.
    """
    plain = plain_letters(text.strip()).casefold()
    if match := re.match(r"(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)|(\d{4})(\d\d)(\d\d)\d{4}", plain):
        year, month, day = (int(part) for part in match.groups() if part)
    elif match := re.match(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)", plain):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        day, month = (first, second) if day_first else (second, first)
    elif (match := re.match(r"(\d{1,2})[-. ]+([a-z]{3})[a-z]*[-., ]+(\d{4}|\d{2})", plain)) and match[
        2
    ] in _MONTH_NAMES:
        day, month, year = int(match[1]), _MONTH_NAMES[match[2]], int(match[3])
    elif (match := re.match(r"([a-z]{3})[a-z]*[-. ]+(\d{1,2})[-., ]+(\d{4})", plain)) and match[1] in _MONTH_NAMES:
        day, month, year = int(match[2]), _MONTH_NAMES[match[1]], int(match[3])
    else:
        return None
    try:
        return date(year + (2000 if year < 100 else 0), month, day)
    except ValueError:
        return None


def are_moments(values: Iterable[str]) -> bool:
    """Whether numbers are times: seconds or milliseconds since 1970, or digits such as 20260301 and 202603010815."""
    plain = [value.strip() for value in values if not is_nothing(value)]
    epoch = all(_EPOCH.fullmatch(value) for value in plain)
    return bool(plain) and (epoch or all(_is_digits_of_time(value) for value in plain))


def _is_digits_of_time(text: str) -> bool:
    match = _DIGITS_OF_TIME.fullmatch(text)
    return match is not None and date_of(f"{match[1]}-{match[2]}-{match[3]}", day_first=False) is not None


def is_boolean(values: Iterable[str]) -> bool:
    """Whether these are yes and no, in one of their spellings, and nothing else."""
    different = {value.strip().casefold() for value in values}
    return 0 < len(different) <= 2 and different <= _BOOLEAN


def has_decimal_commas(values: Iterable[str]) -> bool:
    """Whether commas in numbers of a field stand before decimals rather than between thousands.

    `1,500` may be either: other numbers of the field show which, and where none does it is a thousand and more.
    """
    plain = [value.strip() for value in values]
    if any(
        re.fullmatch(r"[+-]?\d+,(?:\d{1,2}|\d{4,})|[+-]?0,\d+|[+-]?\d{1,3}(?:\.\d{3})+,\d+", value) for value in plain
    ):
        return True
    points = any(re.fullmatch(r"[+-]?[\d,]*\.\d+", value) for value in plain)
    return not points and not any(re.fullmatch(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", value) for value in plain)


def number_of(text: str, *, decimal_comma: bool = True) -> float | None:
    """The number that a text is; None if it is none.

    Args:
        decimal_comma: whether a single comma stands before decimals, see `has_decimal_commas`.
    """
    plain = text.strip()
    if not plain or len(plain) > LARGEST_NUMBER_LENGTH:
        return None
    if decimal_comma and re.fullmatch(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+|[+-]?\d{1,3}(?:\.\d{3}){2,}", plain):
        plain = plain.replace(".", "")
    elif re.fullmatch(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain) and not (
        decimal_comma and re.fullmatch(r"[+-]?\d{1,3},\d{3}", plain)
    ):
        plain = plain.replace(",", "")
    if not _NUMBER.fullmatch(plain):
        return None
    return float(plain.replace(",", "."))


def number_with_unit(text: str) -> tuple[float, str] | None:
    """The number and the unit of a text such as '120 mL'; None if it is something else."""
    match = re.fullmatch(r"\s*([+-]?\d+(?:[.,]\d+)?)\s*((?!.*\d\d)[^\d\s:-][^:]{0,30}?)\s*", text)
    number = number_of(match[1]) if match else None
    return (number, match[2]) if match and number is not None else None


@lru_cache(maxsize=8192)
def words_in(name: str) -> tuple[str, ...]:
    """The words of a header or an id-like name, in lower case and in English: FLO_MEAS_ID, valueNum, 'Row id' alike."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain_letters(name))
    words = (word.casefold() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word)
    return tuple(part for word in words for part in english_words(word))


def is_time_header(name: str) -> bool:
    """Whether a header speaks of a time or a date."""
    words = words_in(name)
    return bool(set(words) & _OF_TIMES) or any(word.endswith(_TIME_ENDINGS) for word in words)


def tidied(text: str) -> str:
    """A text with its white space joined and none at its ends."""
    return " ".join(text.split())


def folded(text: str) -> str:
    """A text as it is compared: without case, white space joined, without marks at its ends."""
    return tidied(text).casefold().strip(" .,:;-_*")


def spread(values: Iterator[str] | Iterable[str], count: int) -> tuple[str, ...]:
    """At most `count` different values from the beginning, the middle and the end."""
    different = list(dict.fromkeys(values))
    if len(different) <= count:
        return tuple(different)
    last = len(different) - 1
    return tuple(different[round(place * last / (count - 1))] for place in range(count))
