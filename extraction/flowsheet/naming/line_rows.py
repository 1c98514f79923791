"""The rows in which a schema records peripheral lines: side, site, size and state of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from extraction.flowsheet.naming.row_concepts import as_spoken, row_concepts
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_measurements import divided_rows
from extraction.flowsheet.schema import SELECT_TYPES, Role, Row, Schema, of_schema
from extraction.language.described_lines import line_patterns
from extraction.language.vocabulary.phrases import any_of, compiled

_SIZE = "iv_gauge"  # the measurement
_STATE = "piv_line_status"  # the concept


@dataclass(frozen=True)
class LineRows:
    """The rows of peripheral lines, by the line's number.

    Attributes:
        family: the name of the lines.
        sites: the words for their sites; `site_of` has the option of each, in lower case, apart from mere limbs.
    """

    family: str
    site: Mapping[int, Row]
    side: Mapping[int, Row]
    size: Mapping[int, Row]
    state: Mapping[int, Row]
    sites: re.Pattern[str]
    site_of: Mapping[str, str]

    def option_of_site(self, words: str) -> str | None:
        """The option of the words for a site; None for a mere limb."""
        words = " ".join(words.casefold().split())
        return self.site_of.get(words) or self.site_of.get(words.removesuffix("s"))


@of_schema
def line_rows(schema: Schema) -> LineRows | None:
    """None for a schema that does not record the size and the site of peripheral lines."""
    size = divided_rows(schema).get(_SIZE)
    group = next((one for one in meaning_of(schema).groups if size and one.name == size.family), None)
    if size is None or group is None:
        return None
    spoken = {row.id: row for row in as_spoken(schema).rows}
    links = row_concepts(schema)
    by_role: dict[Role | str, dict[int, Row]] = {Role.SITE: {}, Role.SIDE: {}, _STATE: {}}
    for number, rows in group.rows.items():
        for records, row in rows.items():
            link = links.get(row.id)
            role = _STATE if link and link.concept.id == _STATE else group.roles.get(records)
            if role in by_role and row.value_type in SELECT_TYPES:
                by_role[role].setdefault(number, spoken[row.id])
    site = next(iter(by_role[Role.SITE].values()), None)
    if site is None:
        return None
    site_of = {
        form.casefold(): option.name
        for option in reversed(site.options)
        for form in (*option.spoken, *option.synonyms, option.name)
    }
    words = any_of(map(re.escape, site_of))
    limb = line_patterns().limb
    return LineRows(
        group.name,
        by_role[Role.SITE],
        by_role[Role.SIDE],
        size.by_number,
        by_role[_STATE],
        compiled(rf"(?<!\w)(?:{words}s?|{limb})(?!\w)"),
        site_of,
    )
