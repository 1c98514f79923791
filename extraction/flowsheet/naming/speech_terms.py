"""The words of a schema that a speech model should expect."""

from __future__ import annotations

import re
from collections import Counter

from extraction.flowsheet.schema import Schema

_WORD = re.compile(r"[A-Za-z][A-Za-z-]{4,}")


def schema_terms(schema: Schema) -> list[str]:
    """Distinct words of row names, synonyms and options, most frequent first."""
    rows_with: Counter[str] = Counter()
    for row in schema.rows:
        texts = [row.name, *row.synonyms]
        for option in row.options:
            texts += [option.name, *option.synonyms]
        rows_with.update({word.lower() for text in texts for word in _WORD.findall(text)})
    return [word for word, _ in sorted(rows_with.items(), key=lambda item: (-item[1], item[0]))]
