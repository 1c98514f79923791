"""The report of a dictation's last complete run: how its values were obtained, and what was not proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from extraction.flowsheet.values import FilledValue
from extraction.preparation.other_patients import NAMES_NOBODY, Naming
from extraction.preparation.prepared_transcript import SetAside
from extraction.retrieval.likely_rows import LikelyRows


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How the values of a dictation were obtained. Fields that a run did not report have their defaults.

    Attributes:
        seconds: wall time per stage; `load` is the part of the others spent loading models.
        tokens: `prompt` and `completion` tokens of the filler.
        models, devices: id and device of the model in each role that was used.
        candidates: number of rows in the reduced schema.
        held_back: values that were read but are too doubtful to propose, most confident first.
        weighed_by: signature of the models that weighed the values, see
            `extraction.confidence.learned_models.signature`.
        features_signature: signature of the meaning of their features, likewise.
        set_aside: statements that are deliberately not charted.
        naming: the patients that the dictation names.
        likely: by clause, the rows that it may be about.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    devices: Mapping[str, str] = field(default_factory=dict)
    candidates: int = 0
    held_back: tuple[FilledValue, ...] = ()
    weighed_by: str = ""
    features_signature: str = ""
    set_aside: tuple[SetAside, ...] = ()
    naming: Naming = NAMES_NOBODY
    likely: tuple[LikelyRows, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Also reads reports of releases with fewer fields, and ignores fields that are no longer used."""
        known = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        if "held_back" in known:
            known["held_back"] = tuple(map(FilledValue.from_json, known["held_back"]))
        if "set_aside" in known:
            known["set_aside"] = tuple(SetAside(**one) for one in known["set_aside"])
        if "naming" in known:
            known["naming"] = Naming.from_json(known["naming"]) if known["naming"] else NAMES_NOBODY
        if "likely" in known:
            known["likely"] = tuple(LikelyRows(**one | {"row_ids": tuple(one["row_ids"])}) for one in known["likely"])
        return cls(**known)


# for a dictation that has not been filled yet
NO_RUN = RunRecord()
