"""Flowsheets as large as a hospital's, and dictations about them, made from a seed.

A row is a subject (a region of the body, a wound, a line, a tube) with an attribute and the occasion it is charted on,
so that every row has dozens of near neighbours, as in flowsheets that grew over the years.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.schema_files.native_format import parse_schema
from tests.kit.schema_files import dump_schema

_PAIRED = (
    "upper arm|forearm|elbow|wrist|hand|thumb|index finger|shoulder|armpit|collarbone|breast|flank|hip|groin|buttock|"
    "thigh|knee|shin|calf|ankle|heel|foot|great toe|little toe|ear|eye|cheek|temple|jaw|shoulder blade|rib cage|"
    "palm|sole"
).split("|")
_MIDLINE = (
    "forehead|scalp|nose|lips|chin|throat|nape of the neck|breastbone|navel|upper back|lower back|tailbone|sacrum|"
    "perineum"
).split("|")
_LIMB = "upper arm|forearm|wrist|hand|inner elbow|neck|chest|groin|thigh|foot".split("|")
_TRUNK = "upper abdomen|lower abdomen|flank|chest wall|upper back|groin".split("|")
_SIDES = ("Left", "Right")
_PLACES = (*(f"{side} {site}" for site, side in product(_PAIRED, _SIDES)), *(site.capitalize() for site in _MIDLINE))
_LIMBS = tuple(f"{side} {site}" for site, side in product(_LIMB, _SIDES))
_TRUNKS = tuple(f"{side} {site}" for site, side in product(_TRUNK, _SIDES))
# What is charted, and what it is called at the bedside.
_WOUNDS = {
    "pressure injury": "bedsore", "surgical incision": "surgical cut", "skin tear": "torn skin",
    "venous ulcer": "weeping ulcer", "burn": "burned skin", "donor site": "place the graft came from",
    "laceration": "deep cut", "blister": "blistered skin",
}  # fmt: skip
_LINES = {
    "peripheral IV": "IV", "midline catheter": "midline", "PICC": "peripherally inserted line",
    "central venous catheter": "central line", "arterial line": "art line", "dialysis catheter": "vascath",
    "introducer sheath": "sheath", "tunneled catheter": "Hickman", "implanted port": "port",
    "subcutaneous infusion needle": "butterfly", "intraosseous needle": "IO", "nerve block catheter": "nerve block",
}  # fmt: skip
_TUBES = {
    "Jackson-Pratt drain": "JP", "Hemovac drain": "Hemovac", "Penrose drain": "Penrose", "chest tube": "pleural drain",
    "pigtail drain": "pigtail", "biliary drain": "bile drain", "nephrostomy tube": "nephrostomy",
    "gastrostomy tube": "PEG", "jejunostomy tube": "J tube", "colostomy": "stoma bag", "ileostomy": "ileal stoma",
    "urostomy": "urine stoma",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Attribute:
    """What is charted of a subject: how the row is named and said, and what its values are."""

    name: str
    said: tuple[str, ...]
    value_type: ValueType
    options: tuple[Option, ...] = ()
    unit: str | None = None
    most: float | None = None
    dimension: str | None = None


def _one_of(name: str, said: str, options: str, value_type: ValueType = ValueType.SINGLE_SELECT) -> _Attribute:
    """A select; an option may bring a synonym behind an equals sign."""
    pairs = (option.partition("=") for option in options.split("|"))
    made = tuple(Option(option, (also,) if also else ()) for option, _, also in pairs)
    return _Attribute(name, _ways(said), value_type, made)


def _some_of(name: str, said: str, options: str) -> _Attribute:
    return _one_of(name, said, options, ValueType.MULTI_SELECT)


def _number(name: str, said: str, unit: str, most: float) -> _Attribute:
    return _Attribute(name, _ways(said), ValueType.NUMERIC, unit=unit, most=float(most))


def _quantity(name: str, said: str, dimension: str, unit: str, most: float) -> _Attribute:
    return _Attribute(name, _ways(said), ValueType.QUANTITY, unit=unit, most=float(most), dimension=dimension)


def _plain(name: str, said: str, value_type: ValueType) -> _Attribute:
    return _Attribute(name, _ways(said), value_type)


def _ways(said: str) -> tuple[str, ...]:
    return tuple(filter(None, said.split("|")))


_COMMON = (
    _one_of("tenderness", "sore to touch", "None=not tender|Mild|Moderate|Severe=very tender"),
    _some_of(
        "surrounding skin", "skin around", "Intact|Red=reddened|Macerated=soggy|Bruised|Hard=indurated|Warm|Itchy"
    ),
    _some_of("signs of infection", "looks infected", "None|Redness|Warmth|Swelling|Pus=purulence|Foul smell|Fever"),
    _one_of("odor", "smell", "None=no smell|Faint|Strong|Foul"),
    _number("pain score", "pain|hurts", "{score}", 10),
    _plain("photograph taken", "picture taken", ValueType.YES_NO),
    _plain("reviewed by wound nurse", "wound nurse saw it", ValueType.YES_NO),
    _plain("last assessed", "last looked at", ValueType.DATE_TIME),
    _plain("comment", "", ValueType.TEXT),
)
_OF_REGION = (
    _one_of("skin color", "color|looks", "Pink|Pale=pallor|Red=flushed|Blue=cyanotic|Mottled=blotchy|Yellow|Dusky"),
    _one_of("skin temperature", "feels", "Warm|Cool|Cold|Hot=burning"),
    _one_of("edema", "swelling|puffy", "None|Trace|1+|2+|3+|4+|Weeping"),
    _one_of("capillary refill", "cap refill", "Under 2 seconds=brisk|2 to 3 seconds|Over 3 seconds=sluggish"),
    _one_of("pulse strength", "pulse", "Absent|Doppler only|Weak=thready|Normal|Bounding"),
    _one_of("sensation", "feeling", "Normal|Reduced=numb|Absent|Tingling=pins and needles|Burning"),
    _one_of("muscle strength", "strength", "0 of 5|1 of 5|2 of 5|3 of 5|4 of 5|5 of 5=full"),
    _one_of("range of motion", "movement", "Full|Limited=stiff|None=cannot move|Passive only"),
    _one_of("muscle tone", "tone", "Normal|Flaccid=floppy|Spastic|Rigid"),
    _some_of("rash", "spots", "None|Macules|Papules=bumps|Hives=welts|Scaling|Petechiae|Vesicles"),
    _some_of("bruising", "bruise", "None|Fresh=purple|Fading=green or yellow|Spreading|With hematoma"),
    _number("circumference", "girth", "cm", 200),
    _quantity("surface temperature", "probe reading", "temperature", "Cel", 45),
    _plain("elevated on pillow", "propped up", ValueType.YES_NO),
    _plain("splint checked", "splint", ValueType.YES_NO),
)
_OF_WOUND = (
    _quantity("length", "how long", "height", "cm", 60),
    _quantity("width", "how wide", "height", "cm", 60),
    _quantity("depth", "how deep", "height", "cm", 20),
    _number("tunneling depth", "tunnel", "cm", 20),
    _number("undermining", "undermined edge", "cm", 20),
    _number("granulation", "beefy red tissue", "%", 100),
    _number("slough", "yellow tissue", "%", 100),
    _one_of("stage", "", "1|2|3|4|Unstageable|Deep tissue injury"),
    _some_of("wound bed", "base", "Pink|Red|Yellow=sloughy|Black=eschar|Bone seen|Tendon seen|Fibrin"),
    _one_of("edges", "margins", "Attached|Open|Rolled|Well approximated=closed|Separated=gaping"),
    _one_of("drainage amount", "draining", "None=dry|Scant|Small|Moderate|Large=copious|Soaked through"),
    _some_of("drainage type", "fluid", "Serous=clear|Serosanguineous=pink|Bloody=sanguineous|Purulent=pus|Green"),
    _some_of("cleansing", "washed with", "Saline|Soap and water|Antiseptic|Wound spray|Sterile water"),
    _some_of("dressing applied", "covered with", "Foam|Gauze|Alginate|Hydrogel|Silver|Film|Honey|Negative pressure"),
    _one_of("closure", "held by", "Sutures=stitches|Staples|Strips|Glue|None"),
    _plain("dressing changed", "new dressing", ValueType.YES_NO),
    _plain("date first seen", "since when", ValueType.DATE),
)
_OF_LINE = (
    _one_of("gauge", "size", "14|16|18|20|22|24"),
    _one_of("patency", "flushes", "Flushes easily=patent|Sluggish|Occluded=blocked|No blood return"),
    _some_of("site condition", "site looks", "Clean and dry|Red|Swollen=puffy|Leaking|Bruised|Infiltrated|Cord felt"),
    _one_of("dressing condition", "dressing", "Intact|Loose=peeling|Soiled|Wet|Bloody"),
    _some_of("care given", "care", "Flushed|Cap changed|Tubing changed|Dressing changed|Securement replaced|Capped"),
    _one_of("number of lumens", "lumens", "1=single|2=double|3=triple|4=quadruple"),
    _number("length outside", "external length", "cm", 60),
    _number("infusion rate", "running at", "mL/h", 1500),
    _number("phlebitis score", "phlebitis", "{score}", 5),
    _plain("still needed", "line needed", ValueType.YES_NO),
    _plain("blood drawn", "labs drawn from it", ValueType.YES_NO),
    _plain("inserted", "put in", ValueType.DATE_TIME),
    _plain("removed", "taken out|pulled", ValueType.DATE_TIME),
    _one_of("reason for removal", "why removed", "Finished|Infection|Leaking|Blocked|Pulled out|Discharge|Routine"),
)
_OF_TUBE = (
    _quantity("output", "drained|put out", "volume", "mL", 5000),
    _some_of("output color", "color", "Clear|Straw|Pink|Red=bloody|Brown|Green=bilious|Milky|Coffee ground"),
    _one_of("output consistency", "thickness", "Watery|Thin|Thick|Clotted|Formed|Pasty"),
    _one_of("suction", "vacuum", "None=to gravity|Low intermittent|Low continuous|Bulb compressed|Water seal"),
    _one_of("patency", "flow", "Patent=draining freely|Sluggish|Blocked|Kinked"),
    _number("mark at skin", "depth at skin", "cm", 120),
    _number("flush volume", "flushed with", "mL", 500),
    _some_of("site care", "cleaned", "Cleansed|Dressing changed|Barrier cream|Split gauze|Bag changed|Anchored"),
    _some_of("leakage", "leaking", "None|Around the tube|At the connection|Under the bag"),
    _plain("emptied", "bag emptied", ValueType.TIME),
    _plain("secured", "taped", ValueType.YES_NO),
    _plain("clamped", "clamp on", ValueType.YES_NO),
    _plain("inserted", "placed", ValueType.DATE_TIME),
    _plain("removed", "taken out", ValueType.DATE_TIME),
)
_OCCASIONS = ("", "on admission", "before procedure", "after procedure", "at discharge")


@dataclass(frozen=True, slots=True)
class _Family:
    """Rows of one kind: every subject at every place with every attribute on every occasion.

    `subjects` maps names to what they are called at the bedside; regions have none, they are their place.
    """

    category: str
    subjects: dict[str, str]
    places: tuple[str, ...]
    attributes: tuple[_Attribute, ...]

    @property
    def size(self) -> int:
        return len(self.subjects) * len(self.places) * len(self.attributes) * len(_OCCASIONS)

    def row(self, number: int) -> Row:
        """The row with this number, 0 to size - 1; different numbers give different names."""
        number, which = divmod(number, len(_OCCASIONS))
        number, attribute_number = divmod(number, len(self.attributes))
        subject_number, place_number = divmod(number, len(self.places))
        subject, also = list(self.subjects.items())[subject_number]
        place, occasion = self.places[place_number], _OCCASIONS[which]
        attribute = self.attributes[attribute_number]
        name = _joined(place, subject, attribute.name, occasion)
        measured = attribute.most is not None
        return Row(
            id=".".join(re.sub(r"\W+", "_", part.lower()) for part in (self.category, name)),
            name=name,
            value_type=attribute.value_type,
            category=(self.category, place, *([subject.capitalize()] if subject else [])),
            options=attribute.options,
            unit=attribute.unit,
            minimum=0.0 if measured else None,
            maximum=attribute.most,
            dimension=attribute.dimension,
            synonyms=tuple(_joined(place.lower(), also, said, occasion) for said in attribute.said),
            ucum=attribute.unit,
        )


_FAMILIES = (
    _Family("Body regions", {"": ""}, _PLACES, (*_OF_REGION, *_COMMON)),
    _Family("Wounds", _WOUNDS, _PLACES, (*_OF_WOUND, *_COMMON)),
    _Family("Vascular access", _LINES, _LIMBS, (*_OF_LINE, *_COMMON)),
    _Family("Tubes and drains", _TUBES, _TRUNKS, (*_OF_TUBE, *_COMMON)),
)
MOST_ROWS = sum(family.size for family in _FAMILIES)

# {place}, {wound}, {line} and {tube} are words of the schema; {limb} and {trunk} where lines and tubes are; {n} and {m}
# small numbers, {ml} a volume.
_SAYINGS = """
The {place} is warm and pink with brisk cap refill.
I noticed some swelling of the {place}, about two plus.
{place} looks pale and feels cool compared with this morning.
Good strong pulse at the {place}, no edema.
She says the {place} is numb, and it tingles when I touch it.
He can't move the {place} much, strength is {n} out of five.
Full range of motion in the {place}.
There is a fresh purple bruise on the {place}.
Small red bumps on the {place}, she says they itch.
I propped the {place} up on a pillow.
Girth of the {place} is {ml} centimeters, same as yesterday.
Pain in the {place} is {n} out of ten, worse when turning.
The {place} is mottled and the pulse is only there with the Doppler.
Skin on the {place} is hot and tender, so I told the doctor.
Muscle tone of the {place} is normal.
Splint on the {place} was checked, and the skin under it is fine.
Took a picture of the {place} for the chart.
No rash on the {place} today.
The {wound} on the {place} measures {n} by {m} centimeters.
{wound} at the {place} is {n} centimeters deep with some tunneling.
Wound bed of the {wound} on the {place} is red with a little yellow slough.
Moderate pink drainage from the {wound} on the {place}, no odor.
I washed the {wound} on the {place} with saline and covered it with foam.
Changed the dressing on the {place} {wound} at noon.
The edges of the {wound} on the {place} are well approximated, and the staples are in place.
It smells foul, the {wound} on the {place}, and there is pus.
Skin around the {wound} is soggy, that's the one on the {place}.
Stage {n} {wound} on the {place}, wound nurse has seen it.
The {wound} on the {place} is about sixty percent granulation.
She rates the {wound} on her {place} a {n} for pain.
Undermining of {n} centimeters at the {place} {wound}.
No signs of infection at the {wound} on the {place}.
The {wound} over the {place} is dry and closed with strips.
Packed the {wound} on the {place} with alginate, since it is soaked through.
On admission the {wound} on the {place} was {n} centimeters long.
There's black eschar on the {wound} of the {place}, and bone can be seen.
{line} in the {limb} flushes easily, dressing is clean and intact.
The {limb} {line} is red and puffy, so I took it out.
Put a new twenty gauge {line} in the {limb}.
{line} in the {limb} is running at {ml} an hour.
No blood return from the {limb} {line}, it's sluggish.
Changed the caps and the tubing on the {line} in the {limb}.
Phlebitis score {n} at the {limb} {line}.
External length of the {line} in the {limb} is {n} centimeters.
Labs were drawn from the {line} in the {limb}.
The dressing on the {limb} {line} is peeling.
Does she still need the {line} in the {limb}?
The {line} in the {limb} was pulled after the procedure because it was leaking.
Two lumens on the {line} in the {limb}, both patent.
It hurts around the {line} in the {limb}, maybe a {n}.
{tube} on the {trunk} put out {ml} milliliters of straw colored fluid.
Emptied the {tube} at the {trunk}, {ml} mls, bloody.
The {tube} in the {trunk} is to gravity and draining freely.
{trunk} {tube} is leaking around the tube, changed the split gauze.
Flushed the {tube} on the {trunk} with {n} mls.
The {tube} at the {trunk} is at {n} centimeters at the skin and taped well.
{tube} on the {trunk} is kinked, and the output dropped.
Bulb is compressed on the {trunk} {tube}.
The {tube} on the {trunk} was clamped before the procedure.
Thick green output from the {tube} on the {trunk}.
Skin around the {tube} on the {trunk} is red, barrier cream applied.
The {tube} at the {trunk} came out at four this afternoon.
Stool from the {tube} on the {trunk} is pasty and brown.
No smell from the {tube} on the {trunk}, and she has no pain there.
""".strip().splitlines()


def generated_schema(rows: int, seed: int) -> Schema:
    """A checked schema of so many rows, 1 to MOST_ROWS, ids and names all different; the same for the same seed."""
    numbers = sorted(random.Random(seed).sample(range(MOST_ROWS), rows))
    made = Schema(f"generated-{rows}-{seed}", f"{rows} generated rows", "1", tuple(map(_row, numbers)), "", "")
    return parse_schema(dump_schema(made), made.name)


def dictations(count: int, sentences: int, seed: int) -> tuple[str, ...]:
    """So many dictations of so many sentences each; the same for the same seed."""
    said = _sentences(random.Random(seed))
    return tuple(" ".join(next(said) for _ in range(sentences)) for _ in range(count))


def _row(number: int) -> Row:
    for family in _FAMILIES:
        if number < family.size:
            return family.row(number)
        number -= family.size
    raise IndexError(number)


def _sentences(chance: random.Random) -> Iterator[str]:
    """Every saying before any comes again, each time about something else."""
    words = {
        "place": [place.lower() for place in _PLACES],
        "limb": [place.lower() for place in _LIMBS],
        "trunk": [place.lower() for place in _TRUNKS],
        "wound": [name for pair in _WOUNDS.items() for name in pair],
        "line": [name for pair in _LINES.items() for name in pair],
        "tube": [name for pair in _TUBES.items() for name in pair],
        "n": [str(number) for number in range(1, 10)],
        "m": ["one", "two", "three", "four", "a half"],
        "ml": [str(number) for number in range(20, 400, 5)],
    }
    while True:
        for saying in chance.sample(_SAYINGS, len(_SAYINGS)):
            sentence = saying.format(**{slot: chance.choice(choice) for slot, choice in words.items()})
            yield sentence[0].upper() + sentence[1:]


def _joined(*parts: str) -> str:
    return " ".join(filter(None, parts))
