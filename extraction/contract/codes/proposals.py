"""Which LOINC codes a row may have. They are proposals: none is used before a person accepts it.

A person's decision is an answer to the question of the row (`code_question`): a code, or `NO_CODE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.contract.codes.loinc_table import CodedKind, LoincCode, loinc_codes, words_otherwise
from extraction.contract.records import ContractRow, DecidedBy
from extraction.contract.rows.schema_rows import schema_of_rows
from extraction.contract.rows.units import is_unit
from extraction.contract.written_out import EXPANSION
from extraction.flowsheet.naming.row_concepts import ConceptLink, concepts, row_concepts
from extraction.flowsheet.naming.row_names import words_of
from extraction.flowsheet.schema import SELECT_TYPES, Laterality, ValueType
from extraction.language.body_sites import body_words, written_sides
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import measurements
from extraction.schema_files.checks import is_loinc

NO_CODE = "none"
_QUESTION = "loinc:"
_SMALL = frozenset("a an and by for in of on the to with".split())
_OWN_NAME, _LABEL, _WRITTEN_OUT, _CONCEPT = 1.0, 0.95, 0.85, 0.7
_SPELLED = {"colour": "color", "oedema": "edema", "oesophageal": "esophageal", "foetal": "fetal"}
_NOT_EXACT = 0.9  # the most of what does not agree exactly
_SHORTER_LABEL = 0.75  # a label that says less than the row's name
_WITHOUT_UNIT = 0.7  # of the score, if the row does not say its unit
_OTHERWISE = 0.5  # of the score, if a word of its names says that it is another thing
_SCORE = "{score}"
_MOST = 3
_KINDS = {ValueType.NUMERIC: CodedKind.NUMBER, ValueType.QUANTITY: CodedKind.NUMBER,
          ValueType.BLOOD_PRESSURE: CodedKind.PRESSURE, **dict.fromkeys(SELECT_TYPES, CodedKind.CHOICE)}  # fmt: skip
_Key = tuple[frozenset[str], Laterality | None]


@dataclass(frozen=True, slots=True)
class CodeProposal:
    """A code that a row may have.

    Attributes:
        name: as LOINC calls it.
        score: how well name, unit and options agree, 0 to 1.
        exact: whether the row's own name, and its unit or its options, are those of the code.
    """

    code: str
    name: str
    score: float
    exact: bool


def code_question(row_id: str) -> str:
    """The question under which a person decides about the code of a row."""
    return f"{_QUESTION}{row_id}"


def with_decided_code(row: ContractRow, answers: Mapping[str, str]) -> ContractRow:
    """The row with the code that a person gave it; what is no LOINC code is not taken."""
    answer = answers.get(code_question(row.id), "")
    if answer != NO_CODE and not is_loinc(answer):
        return row
    return with_code(row, "" if answer == NO_CODE else answer)


def with_code(row: ContractRow, code: str) -> ContractRow:
    """The row with a code from a person; empty for none."""
    others = tuple(one for one in row.decided if one[0] != "loinc")
    return replace(row, loinc=code, decided=(*others, ("loinc", DecidedBy.PERSON)))


def is_decided(row: ContractRow) -> bool:
    """Whether a person decided about the code of a row."""
    return ("loinc", DecidedBy.PERSON) in row.decided


def propose_codes(rows: Iterable[ContractRow]) -> dict[str, tuple[CodeProposal, ...]]:
    """Up to three codes for each row that has any, the likeliest first, by the row's id; also where one is decided."""
    used = [row for row in rows if not row.retired and not row.unit_of]
    links = row_concepts(schema_of_rows([row for row in used if row.options]))
    found = {row.id: _proposals(row, links.get(row.id)) for row in used}
    return {row_id: proposals for row_id, proposals in found.items() if proposals}


def exact_codes(rows: Iterable[ContractRow], proposed: Mapping[str, Sequence[CodeProposal]]) -> dict[str, str]:
    """The codes that agree exactly, of rows without a code about which nobody has decided, by the row's id.

    A row of which two codes agree exactly has none.
    """
    open_rows = [row for row in rows if not row.loinc and not is_decided(row)]
    exact = {row.id: [one.code for one in proposed.get(row.id, ()) if one.exact] for row in open_rows}
    return {row_id: codes[0] for row_id, codes in exact.items() if len(codes) == 1}


def _proposals(row: ContractRow, link: ConceptLink | None) -> tuple[CodeProposal, ...]:
    kind = _KINDS.get(ValueType(row.value_type))
    possible: dict[str, CodeProposal] = {}
    for code, name_score in _named(row, link):
        if code.kind is not kind or (proposal := _weighed(code, row, name_score, link)) is None:
            continue
        known = possible.get(code.code)
        if known is None or (known.exact, known.score) < (proposal.exact, proposal.score):
            possible[code.code] = proposal
    best = sorted(possible.values(), key=lambda one: (not one.exact, -one.score, one.code))
    return tuple(best[:_MOST])


def _named(row: ContractRow, link: ConceptLink | None) -> Iterator[tuple[LoincCode, float]]:
    """The codes whose name or concept a row has, each with how much that counts."""
    names = [(row.name, _OWN_NAME)]
    names += [(alias.text, _WRITTEN_OUT if alias.origin == EXPANSION else _LABEL) for alias in row.aliases]
    own = len(_key(row.name)[0])
    said = frozenset[str]().union(*(_key(text)[0] for text, given in names if given != _WRITTEN_OUT))
    for text, given in names:
        key = _key(text)
        score = _SHORTER_LABEL if given == _LABEL and len(key[0]) < own else given
        for code in _by_name().get(key, ()):
            yield code, score if said & words_otherwise() <= _words_of(code) else round(_OTHERWISE * score, 2)
    if link:
        side = _key(row.name)[1]
        codes = (code for code in loinc_codes().values() if link.concept.id in code.of and code.side is side)
        yield from ((code, _CONCEPT) for code in codes)


def _weighed(code: LoincCode, row: ContractRow, name_score: float, link: ConceptLink | None) -> CodeProposal | None:
    """A proposal with its score; None if the row's unit, or its options, are those of something else."""
    is_exact = name_score >= _LABEL and _is_named_as(code, row)
    if code.kind is CodedKind.CHOICE:
        fits = link is not None and link.concept.id in code.of
    elif row.unit:
        fits = row.ucum in code.units
    else:
        fits = True
        if code.units != (_SCORE,) and code.kind is not CodedKind.PRESSURE:
            name_score, is_exact = _WITHOUT_UNIT * name_score, False
    score = round(name_score if is_exact else min(name_score, _NOT_EXACT), 2)
    return CodeProposal(code.code, code.name, score, is_exact) if fits else None


def _is_named_as(code: LoincCode, row: ContractRow) -> bool:
    """Whether a row names the instrument of a code; of a choice, whether it is called as the code or its concept is."""
    labels = [row.name, *(alias.text for alias in row.aliases if alias.origin != EXPANSION)]
    if code.within:
        texts = (*labels, *(group for path in row.categories for group in path))
        return any(not code.within.isdisjoint(_key(text)[0]) for text in texts)
    if code.kind is not CodedKind.CHOICE:
        return True
    strict = {_key(name)[0] for name in (code.name, *code.names, *(one.replace("_", " ") for one in code.of))}
    return any(_key(label)[0] in strict for label in labels)


@of_vocabularies
def _words_of(code: LoincCode) -> frozenset[str]:
    """All words of a code's names."""
    return frozenset[str]().union(*(_key(name)[0] for name in _names_of(code)))


def _names_of(code: LoincCode) -> Iterator[str]:
    yield from (code.name, *code.names)
    yield from (name for one in code.of if one in measurements() for name in measurements()[one].rows)
    yield from (name for one in code.of if one in concepts() for name in concepts()[one].rows)


@of_vocabularies
def _by_name() -> Mapping[_Key, Sequence[LoincCode]]:
    """The codes by the names of their rows."""
    found: dict[_Key, list[LoincCode]] = {}
    for code in loinc_codes().values():
        for words in {_key(name)[0] for name in _names_of(code)}:
            found.setdefault((words, code.side), []).append(code)
    return found


def _key(name: str) -> _Key:
    """The words of a name without its side and units in brackets, and the side."""
    if name.lstrip().startswith("%"):
        name = f"percent {name.lstrip()[1:]}"
    sides = written_sides(name)
    at = {(one.start, one.end) for one in sides if one.short or name[one.start : one.end].casefold() in _sides()}
    named = {Laterality(one.side) for one in sides if (one.start, one.end) in at}
    words = frozenset(
        _SPELLED.get(word.key, word.key)
        for word in words_of(name)
        if (word.start, word.end) not in at
        and word.key not in _SMALL
        and not (word.bracket >= 0 and is_unit(_in_bracket(name, word.bracket)))
    )
    return words, named.pop() if len(named) == 1 else None


def _sides() -> Mapping[str, str]:
    return body_words().side_of


def _in_bracket(name: str, start: int) -> str:
    return name[start + 1 :].partition(")")[0]
