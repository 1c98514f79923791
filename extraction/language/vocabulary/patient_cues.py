"""The words that lead over to a patient, or say that somebody who is named is none; resources/language/<language>/
patients.toml. How a patient is called by bed and name is in `extraction.preparation.patient_names`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words


@dataclass(frozen=True, slots=True)
class PatientCues:
    """Patterns over the words before a bed or name; the data file says more of each.

    Attributes:
        lead: leads over to it, at the end.
        strong_lead: leads over to a bare number, too, at the end.
        leaves: says that another patient is left.
        first: begins the sentence with nothing of its own before the bed or name, as a whole.
        belongs: says whose something is, at the end.
        moved: says that the bed is merely mentioned, in the last sentence.
        no_patient: anywhere in a sentence that may name somebody who is no patient.
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
    """Raises InputError for a ward's file that cannot be read."""
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
