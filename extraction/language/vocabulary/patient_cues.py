"""Words that switch to another patient or rule one out; resources/language/<language>/patients.toml and newborns.toml.

How beds and names identify a patient is in `extraction.preparation.people.patient_names`.
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
        owner: the name that follows says whose something was, anchored at the end.
        points_back: what follows is said of something before it; searched in the sentence up to the bed or name.
        described: somebody else who is described where a statement begins, or whose something is; the words are `who`.
        relative: somebody at the bedside who owns what follows.
        left: the `name` of a patient who is left.
        returns: leads back to it.
        heads: what follows a patient whose name is a heading.
        verb: the name of a measurement that is a verb, anchored at the end.
        by_the_way: makes a sentence an aside.
        own_again: returns to the patient of the dictation within a sentence about another.
    """

    lead: re.Pattern[str]
    strong_lead: re.Pattern[str]
    leaves: re.Pattern[str]
    first: re.Pattern[str]
    belongs: re.Pattern[str]
    moved: re.Pattern[str]
    no_patient: re.Pattern[str]
    owner: re.Pattern[str]
    points_back: re.Pattern[str]
    described: re.Pattern[str]
    relative: re.Pattern[str]
    left: re.Pattern[str]
    returns: re.Pattern[str]
    heads: re.Pattern[str]
    verb: re.Pattern[str]
    by_the_way: re.Pattern[str]
    own_again: re.Pattern[str]


@of_vocabularies
def patient_cues() -> PatientCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("patients")
    who, stays = any_of(of["who"]), any_of(of["stays"])
    whom = rf"(?:(?:{any_of(of['whose'])}\s+)?{who}\s+(?:{stays}\s+)?)?"
    strong = rf"(?:{any_of(of['strong_leads'])}|{any_of(of['reports'])}\s+{any_of(of['about'])})"
    here = rf"{any_of(of['here'])}\s+(?:{any_of(of['at'])}\s*)+"
    first = rf"(?:{any_of(of['openings'])}\b[\s,:]*)*{any_of(of['opening_joints'])}?"
    done = any_of([*cues("times")["headings"], *cues("times")["headings_behind"]])
    return PatientCues(
        lead=compiled(rf"\b(?:{any_of(of['leads'])}|{strong}|{here})[\s,:]*{whom}$"),
        strong_lead=compiled(rf"(?:\b{strong}[\s,:]+{whom}|\b{who}\s+{stays}\s+)$"),
        leaves=whole_words(of["leaving"]),
        first=compiled(rf"^{first}\s*{whom}$"),
        belongs=compiled(rf"\b{any_of(of['belongs'])}\s+$"),
        moved=compiled(rf"\b{any_of(of['moved'])}\b[^.]*$"),
        no_patient=whole_words(of["no_patient"]),
        owner=compiled(rf"\b{any_of(of['pointing_to_owner'])}\s+$"),
        points_back=whole_words(of["pointing_back"]),
        returns=whole_words(of["returning"]),
        heads=compiled(rf"\s*(?:[.:;!?–—-]|,(?!\s*{any_of(of['in_passing'])}\b)|$)|\s+(?:\d|{done}\b)"),
        verb=compiled(rf"{any_of(of['verb_endings'])}$"),
        by_the_way=whole_words(of["by_the_way"]),
        own_again=whole_words(of["own_again"]),
        described=_described(),
        relative=compiled(rf"\b(?:{any_of(of['before_described'])}\s+)?{any_of(of['relatives'])}['’]s\b"),
        left=compiled(
            rf"\b{any_of(of['left'])}\s+(?:{any_of(of['title_words'])}\.?\s+)?(?P<name>[\w'’-]+)(?=\s*(?:now\s*)?[.,;:])"
        ),
    )


def _described() -> re.Pattern[str]:
    of = cues("patients")
    article, described = any_of(of["before_described"]), any_of(of["described"])
    anybody = any_of([*of["described"], *of["described_elsewhere"]])
    elsewhere = rf"{article}\s+(?:[\w-]+\s+)?{anybody}\s+{any_of(of['elsewhere'])}"
    someone = rf"(?:{elsewhere}|(?:{article}\s+)?{any_of(of['neighbours'])})"
    begins = rf"(?:^|[.,;:!?–—]\s*|\b{any_of([*of['begins_described'], *of['says_whose']])}\s+)"
    which = rf"{article}\s+(?:[\w-]+\s+)?{described}\s+{any_of(of['tells_which'])}"
    is_someone = rf"{any_of(of['is_someone'])}\s+the\s+(?:[\w-]+\s+){{1,3}}?{described}"
    whose = any_of(of["says_whose"])
    return compiled(
        rf"{begins}(?P<who>{someone})(?!\w)|(?P<owner>{someone})['’]s\b|\b{whose}\s+(?P<which>{which})(?!\w)"
        rf"|\b(?P<is>{is_someone})(?!\w)"
    )


@dataclass(frozen=True, slots=True)
class NewbornCues:
    """Patterns of how a dictation turns to a newborn and back to the mother; the data file explains each.

    Attributes:
        named: a newborn, however it is named; `certain` matches fully if the words mean nothing else, `little` if they
            often do.
        begins: what stands before one, or the mother, that opens a clause, anchored at the end.
        said_of: what follows a newborn that is charted, `heading` one that is a heading; neither holds before `thing`.
        birth: a birth that is told of nobody by name, at the start of a clause; `at_birth` what shows that it was one,
            `only_at_birth` what nothing else explains.
        mother: words for the mother at the start of a clause; `maternal` those that mean no other patient.
    """

    named: re.Pattern[str]
    certain: re.Pattern[str]
    little: re.Pattern[str]
    boy: re.Pattern[str]
    begins: re.Pattern[str]
    said_of: re.Pattern[str]
    heading: re.Pattern[str]
    thing: re.Pattern[str]
    together: re.Pattern[str]
    unborn: re.Pattern[str]
    birth: re.Pattern[str]
    at_birth: re.Pattern[str]
    only_at_birth: re.Pattern[str]
    mother: re.Pattern[str]
    maternal: re.Pattern[str]
    mothers_own: re.Pattern[str]
    he: re.Pattern[str]
    she: re.Pattern[str]


@of_vocabularies
def newborn_cues() -> NewbornCues:
    """Raises InputError if the ward's own file cannot be read."""
    of = cues("newborns")
    begins = rf"(?:^|[.,;:!?–—\n]\s*|\b{any_of(of['joints'])}\s+)"
    beside = rf"(?!\s*{any_of(of['beside'])}\b)"
    openings = rf"(?:{any_of(of['openings'])}[\s,:]+)*(?:(?P<whose>{any_of(of['whose'])})\s+)?"
    was = r"(?:['’]s|\s+was|\s+is|\s+got)?\s+"
    told = (("he|it|they", "births"), ("she", "births_of_her"), (any_of(of["little_ones"]), "births"))
    births = [rf"(?:{who}){was}{any_of(of[how])}" for who, how in told]
    return NewbornCues(
        named=whole_words([*of["newborns"], *of["babies"], *of["little_ones"]]),
        certain=compiled(any_of(of["newborns"])),
        little=compiled(any_of(of["little_ones"])),
        boy=whole_words(of["boys"]),
        begins=compiled(rf"{begins}{openings}$"),
        said_of=compiled(rf"(?:['’]s\b|\s+{any_of(of['said_of'])}\b|\s+\d)"),
        heading=compiled(r"\s*(?:[:,.;–—-]|$)"),
        thing=compiled(rf"(?:['’]s)?\s+{any_of(of['things'])}\b"),
        together=whole_words(of["together"]),
        unborn=whole_words(of["unborn"]),
        birth=compiled(rf"(?<!\w)(?:{'|'.join([*births, any_of(of['births_alone'])])})(?!\w)"),
        at_birth=whole_words([*of["at_birth"], *of["only_at_birth"]]),
        only_at_birth=whole_words(of["only_at_birth"]),
        mother=compiled(rf"(?<!\w){any_of([*of['mothers'], *of['patients']])}(?!\w){beside}"),
        maternal=compiled(rf"(?<!\w){any_of(of['mothers'])}(?!\w){beside}(?:['’]s)?"),
        mothers_own=whole_words(of["mothers_own"]),
        he=compiled(rf"\W*{any_of(of['he'])}\b"),
        she=compiled(rf"\W*{any_of(of['she'])}\b"),
    )
