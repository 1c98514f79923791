"""Whether something is still in use: flags, words for a state, and the dates until which something is valid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from extraction.contract.catalogue import Table
from extraction.contract.header_language import plain_letters
from extraction.contract.records import FieldType
from extraction.contract.value_shapes import date_of, folded, is_day_first, is_nothing, type_of, words_in

# headers under which a yes says that something is no longer used
_NEGATIVE = frozenset(
    "off inactive retired retire deleted disabled obsolete hidden hide archived void voided invalid discontinued"
    " suppressed deactivated withdrawn superseded blocked cancelled removed expired deprecated".split()
)
_POSITIVE = frozenset(
    "active use used enabled valid current live visible released published available effective show".split()
)
# dates under such headers end the time in which something is used
_ENDS = _NEGATIVE | frozenset(
    "until to end ends ended expiry expires thru through till stop stopped discontinue".split()
)
_YES = frozenset("true 1 -1 y yes t x on ja j oui o si wahr vrai waar".split())
_NO = frozenset("false 0 n no f off nein non nee falsch faux onwaar".split())
_ACTIVE = frozenset(
    "active current live enabled released published valid approved production productive open use visible a aktiv actif"
    " actief gultig valide freigegeben geldig en service".split()
) | {"in use", "in service"}
_INACTIVE = frozenset(
    "inactive retired deleted obsolete hidden disabled withdrawn superseded archived discontinued deprecated expired"
    " old closed removed void voided blocked suppressed cancelled draft test i d x r h inaktiv inactif inactief"
    " gesperrt ungultig geloscht vervallen archiviert archive supprime".split()
) | {"not in use", "no longer used", "do not use", "out of use", "entered in error"}
_RETIRED_NAME = re.compile(
    r"z{2,}[ _-]?\S.*|do not use\b.*|.*\bdo not use"
    r"|.*[(\[](?:old|retired|inactive|obsolete|do not use|no longer used)[)\]]",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"(?<=[^\W\d]{3})[\s,:(]+(?:(?:since|from|on|seit|depuis|sinds)\s+)?\d[\d./ -]*\)?\s*$", re.IGNORECASE
)
_MOST_STATES = 6
_FEW = 0.5


def tells_use(header: str, values: Iterable[str]) -> bool:
    """Whether a field says what is in use; a bare yes or no does so only under a header that speaks of it."""
    words = set(words_in(header))
    different = {_plain(value) for value in values if not is_nothing(value)}
    if not 1 <= len(different) <= _MOST_STATES or not different <= _YES | _NO | _ACTIVE | _INACTIVE:
        return False
    return bool(words & (_NEGATIVE | _POSITIVE | {"status", "state"})) or not different <= _YES | _NO


def is_state(text: str) -> bool:
    """Whether a text says that something is in use, or no longer is."""
    words = _plain(text).split()
    return any(state in _ACTIVE | _INACTIVE for state in (" ".join(words), *words) if len(state) > 1)


def ends_use(header: str) -> bool:
    """Whether dates under a header end the time in which something is used."""
    return bool(set(words_in(header)) & _ENDS)


def retired_by(header: str, values: Iterable[str], today: str) -> Callable[[str], bool]:
    """A function that says of a cell of a field whether something is no longer used.

    Args:
        values: of the field.
        today: in ISO 8601; what was valid until a day before is no longer used.
    """
    cells = list(values)
    filled = [value for value in cells if not is_nothing(value)]
    if type_of(filled) in (FieldType.DATE, FieldType.DATE_TIME):
        day_first = is_day_first(filled)
        now = date.fromisoformat(today[:10])
        return lambda text: ends_use(header) and (end := date_of(text, day_first=day_first)) is not None and end < now
    words = set(words_in(header))
    states = {_plain(value) for value in filled}
    if words & _NEGATIVE and states <= _YES | _NO:
        return lambda text: _plain(text) in _YES
    if states <= _YES and words & _POSITIVE and len(filled) > _FEW * len(cells):
        return is_nothing  # only what is in use is marked
    if states <= _YES | _NO and (words & _POSITIVE or states & _NO):
        return lambda text: _plain(text) in _NO
    return lambda text: _plain(text) in _INACTIVE | _NO


def retired_in(table: Table, places: Sequence[int], today: str) -> Callable[[Sequence[str]], bool]:
    """A function that says of a line of a source whether it is no longer used, by the fields at these places."""
    tests = [
        (at, retired_by(table.fields[at], (record.values[at] for record in table.records()), today)) for at in places
    ]
    return lambda cells: any(is_retired(cells[at]) for at, is_retired in tests)


def is_retired_name(name: str) -> bool:
    """Whether a name itself says that its row is no longer used, such as `zzPulse` or `Pulse (old)`."""
    return _RETIRED_NAME.fullmatch(name.strip()) is not None


def _plain(text: str) -> str:
    """A state as it is compared, without the day since when it is one, as in `Withdrawn 03/2021`."""
    if text.strip() == "-1":
        return "-1"
    state = _SINCE.sub("", text)
    return folded(plain_letters(state if folded(state) else text))
