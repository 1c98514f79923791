"""The value types that record systems name, as the types of a flowsheet schema."""

from __future__ import annotations

import re
from collections.abc import Mapping

from extraction.contract.header_language import plain_letters
from extraction.contract.value_shapes import folded
from extraction.flowsheet.schema import ValueType

_MULTI = re.compile(
    r"multi[- ]?(?:select|choice|value|list)|multiselect|\bmulti\b|\bmsel\b|multiples?\b|several|select all"
    r"|(?:select|choose|pick|check|tick) (?:many|any|all|multi)|check ?(?:boxes|list)|checkbox group|checked list"
    r"|pick ?list ?\+|\bmehrfach|meerkeuze|meervoudig|meerdere"
)
_OF_LINES = re.compile(r"multi[- ]?line|multiple lines")
_AFTER = "type|field|value|entry|item|data|row|with tag|decision"
# by type, what record systems call it: patterns
_NAMES: Mapping[ValueType, str] = {
    ValueType.BLOOD_PRESSURE: (
        r"blutdruck, tension( arterielle)?, pression arterielle, bloeddruk, blood ?pressure, bp, nibp, "
        r"systolic/diastolic"
    ),
    ValueType.YES_NO: (
        r"ja ?/ ?nein, ja nein, oui ?/ ?non, ja ?/ ?nee, booleen, wahrheitswert, kontrollkastchen, case a cocher, "
        r"selectievakje, toggle, switch, tick ?box, y ?/ ?n, yn, true false, yes or no, yes ?[/ ]? ?no, dv_boolean, "
        r"y/n, bool(ean)?, bit, logical, flag, check ?box, true ?/ ?false, binary, indicator"
    ),
    ValueType.DATE_TIME: (
        r"datum ?(/|und|mit|en|\+)? ?(uhr)?(zeit|tijd), zeitpunkt, date ?(/|et) ?heure, horodatage, date ?\+ ?time, "
        r"dt, ts, date (and|&|/) ?time, dv_date_time, date/time, date ?time, timestamp, instant, dttm, dtm"
    ),
    ValueType.DATE: (r"datum, date, dv_date, day, calendar"),
    ValueType.TIME: (r"uhrzeit, zeit, heure, tijd, time, dv_time, clock, time of day, hh:?mm"),
    ValueType.NUMERIC: (
        r"zahl, ganzzahl, kommazahl, dezimal(zahl)?, numerisch, nombre, entier, numerique, getal, numeriek, "
        r"heel getal, geheel getal, messwert, valeur numerique, integer number, whole number, decimal number, "
        r"calculation, calc, formula, range, slider, counter, measurement, physical quantity, pq, numeric, number, "
        r"int(eger)?, decimal, float, double, real, num, nm, quantity, smallint, long, solution, ingredient, "
        r"processes, temperature, weight, height, volume, rate, percent(age)?, score, calculated, computed, "
        r"dv_quantity, dv_count, dv_proportion, dv_scale"
    ),
    ValueType.SINGLE_SELECT: (
        r"auswahl(liste|feld)?, einfachauswahl, einzelauswahl, katalog, klappliste, liste, liste deroulante, "
        r"choix( unique)?, keuze(lijst)?, enkele keuze, single selection, single response, single, one of, "
        r"select one, option ?set, group response, ordinal, lst, sel, value ?list, dropdown ?list, list ?box, "
        r"choice ?list, picker, multiple choice single, option list, codelist, code list, code set, codeset, "
        r"category, custom list, list, single ?-?select, select(ion)?, drop ?-?down, choice, coded, code, "
        r"pick ?-?list, radio( buttons?)?, combo( ?box)?, enum(erated|eration)?, options?, single choice, "
        r"dv_coded_text, dv_ordinal, pick one, choose one, lookup, value ?set, cwe, ce, alpha coded, nomenclature"
    ),
    ValueType.TEXT: (
        r"freitext, texte( libre| long| court)?, tekst, vrije tekst, zeichenkette, bemerkung, commentaire, "
        r"alphabetic, txt, varchar2, nvarchar, clob, multi ?line( text)?, text ?area, text ?box, paragraph, "
        r"unstructured, text, string, dv_text, free ?-?text, alpha( ?numeric)?, varchar, char(acters?)?, comments?, "
        r"notes?, memo, narrative, st, tx, str, long text, short text, rich text"
    ),
}
_TYPES = {
    value_type: re.compile(rf"(?:{'|'.join(names.split(', '))})(?: (?:{_AFTER}))?")
    for value_type, names in _NAMES.items()
}


def is_value_type(text: str) -> bool:
    """Whether a text names a type of values."""
    return type_named(text) is not None


def type_named(text: str) -> ValueType | None:
    """The type that a record system calls so, such as 'Custom List - Multi'; None if it is not known."""
    plain = folded(plain_letters(text))
    if not plain or len(plain) > 60:
        return None
    if _MULTI.search(plain) and not _OF_LINES.search(plain):
        return ValueType.MULTI_SELECT
    head = re.split(r"\s*[-(:,]", plain)[0]
    words = head.split()
    for part in dict.fromkeys((plain, plain.replace("_", " "), head, " ".join(words[:3]), " ".join(words[:2]))):
        if found := next((value_type for value_type, pattern in _TYPES.items() if pattern.fullmatch(part)), None):
            return found
    return None
