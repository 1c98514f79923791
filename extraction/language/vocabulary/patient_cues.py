"""Words that switch to another patient or rule one out; resources/language/<language>/patients.toml.

How beds and names identify a patient is in `extraction.preparation.patient_names`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words


@dataclass(frozen=True, slots=True)
class PatientCues:
    """Patterns of the words before a bed or a name; the data file explains each.

    Attributes:
        lead: introduces it, anchored at the end.
        strong_lead: introduces even a bare number, anchored at the end.
        leaves: ends the part about another patient.
        first: an opening that adds nothing before the bed or name; must match fully.
        belongs: says whose something is, anchored at the end.
        moved: the bed is merely mentioned; searched in the last sentence.
        no_patient: the sentence may name somebody who is not a patient.
    """

    lead: re.Pattern[str]
    strong_lead: re.Pattern[str]
    leaves: re.Pattern[str]
    first: re.Pattern[str]
    belongs: re.Pattern[str]
    moved: re.Pattern[str]
    no_patient: re.Pattern[str]


@of_vocabularies
def patient_cues() -> PatientCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("patients")
    who, stays = any_of(of["who"]), any_of(of["stays"])
    whom = rf"(?:(?:{any_of(of['whose'])}\s+)?{who}\s+(?:{stays}\s+)?)?"
    strong = rf"(?:{any_of(of['strong_leads'])}|{any_of(of['reports'])}\s+{any_of(of['about'])})"
    here = rf"{any_of(of['here'])}\s+(?:{any_of(of['at'])}\s*)+"
    first = rf"{any_of(of['openings'])}?[\s,:]*{any_of(of['opening_joints'])}?"
    return PatientCues(
        lead=compiled(rf"\b(?:{any_of(of['leads'])}|{strong}|{here})[\s,:]*{whom}$"),
        strong_lead=compiled(rf"(?:\b{strong}[\s,:]+{whom}|\b{who}\s+{stays}\s+)$"),
        leaves=whole_words(of["leaving"]),
        first=compiled(rf"^{first}\s*{whom}$"),
        belongs=compiled(rf"\b{any_of(of['belongs'])}\s+$"),
        moved=compiled(rf"\b{any_of(of['moved'])}\b[^.]*$"),
        no_patient=whole_words(of["no_patient"]),
    )
