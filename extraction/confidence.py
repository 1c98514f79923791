"""How likely a reading is right: a logistic model over what the filler, the retrieval and rival readings say about it.

The features name no row and no hospital, so that the coefficients carry over to any schema. How they were fitted, on
what, and how well they separate stands in the file itself (resources/confidence.json) and in docs/extraction.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from extraction.evidence import literal_span
from extraction.fill import Reading
from extraction.lexical import best_share, share, stems
from extraction.logistic import logit
from extraction.reduce import SAID_TYPES, is_yes_no
from extraction.schema import ValueType

FEATURES = (
    "mentioned_logit",
    "value_log_probability",
    "permitted_log_mass",
    "prior_logit",
    "log_choices",
    "value_words_said",
    "name_words_said",
    "outnamed",
    "outranked",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
)


def features(readings: Sequence[Reading]) -> list[tuple[float, ...]]:
    """For each reading of a dictation the numbers named in FEATURES, in their order.

    `outnamed` and `outranked` look at the rivals, the readings of other rows that rest on the same words: by how much
    the best of them has more of its row's name said, and a higher prior. One spoken number rarely fills two rows.
    """
    names = [_name_words_said(reading) for reading in readings]
    spans = [literal_span(reading) for reading in readings]
    priors = [logit(reading.candidate.prior) for reading in readings]
    rows = []
    for place, reading in enumerate(readings):
        rivals = [
            other
            for other, span in enumerate(spans)
            if other != place and (mine := spans[place]) and span and span[0] < mine[1] and mine[0] < span[1]
        ]
        kind = reading.row.value_type
        said = stems(reading.segment.text)
        value = " ".join(reading.value) if isinstance(reading.value, tuple) else str(reading.value)
        rows.append(
            (
                logit(reading.mentioned),
                math.log(max(reading.probability, 1e-4)),
                math.log(max(reading.permitted_mass, 1e-4)),
                priors[place],
                math.log(len(reading.row.options) or 1),
                share(stems(value), said),
                names[place],
                max([names[other] - names[place] for other in rivals], default=0.0),
                max([priors[other] - priors[place] for other in rivals], default=0.0),
                float(is_yes_no(reading.row)),
                float(kind is ValueType.MULTI_SELECT),
                float(kind in SAID_TYPES),
                float(kind is ValueType.TEXT),
            )
        )
    return [
        tuple(max(x, 0.0) if name.startswith("out") else x for name, x in zip(FEATURES, row, strict=True))
        for row in rows
    ]


def _name_words_said(reading: Reading) -> float:
    return best_share((reading.row.name, *reading.row.synonyms), stems(reading.segment.text))
