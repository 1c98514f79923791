"""What a person is asked about an export: at most twenty questions, the most consequential first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extraction.contract.catalogue import Profile
from extraction.contract.records import Contract, ContractRow, Decision, FieldRole, FieldRoleOf, Link, SourceKind
from extraction.contract.value_shapes import spread

MOST_QUESTIONS = 20
_UNSURE = 0.6
_DATE = re.compile(r"\d{4,}(?:[-_.]?\d+)*")
_MOST_ROLES = 3  # offered for a column, beside `something else`
_TYPES = (
    ("text", "words"),
    ("numeric", "a number"),
    ("yes_no", "yes or no"),
    ("date", "a day"),
    ("date_time", "a day and a time"),
)
_CONSEQUENCE = {
    FieldRole.ROW_ID: 10,
    FieldRole.ROW_NAME: 9,
    FieldRole.VALUE: 8,
    FieldRole.VALUE_TYPE: 7,
    FieldRole.OPTION_NAME: 6,
    FieldRole.UNIT: 6,
    FieldRole.OBSERVED_AT: 5,
    FieldRole.OPTION_CODE: 5,
    FieldRole.CATEGORY: 4,
    FieldRole.ACTIVE: 4,
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question with a closed set of answers.

    Attributes:
        id: the same whenever the same export is read, so that it is not asked twice.
        text: the question for a person.
        choices: by answer, what a person reads.
        default: the answer that is used without one.
        examples: up to three values that help to decide.
        weight: how much depends on it.
        effects: what would become of it with each choice, in their order; empty if the choices say it.
    """

    id: str
    text: str
    choices: tuple[tuple[str, str], ...]
    default: str
    examples: tuple[str, ...] = ()
    weight: float = 0.0
    effects: tuple[str, ...] = ()


USE = "use:"  # before the id of a row: whether it is used although the exports retire it, or join it with another


def role_question_id(source: str, field: str) -> str:
    """Under which a person decides what a field holds."""
    return f"role:{source}:{field}"


def role_question(
    role: FieldRoleOf, rivals: Sequence[FieldRole], profile: Profile, roles: Sequence[FieldRoleOf]
) -> Question:
    """What a field holds, where two roles are nearly as likely.

    Args:
        rivals: the roles that it may have instead, the likeliest first.
        roles: of all fields.
    """
    column = profile.columns[role.field]
    likely = (role.role, *rivals)[:_MOST_ROLES]
    choices = tuple(dict.fromkeys((*likely, FieldRole.OTHER)))
    examples = () if column.field.excluded else spread(column.field.examples, 3)
    holders = {one.role: one.field for one in roles if one.source == role.source and one.field != role.field}
    return Question(
        role_question_id(role.source, role.field),
        f"What does the column {role.field} of {role.source} hold?",
        tuple((choice.value, ROLE_WORDS[choice]) for choice in choices),
        role.role.value,
        examples,
        max(_CONSEQUENCE.get(choice, 1) for choice in likely),
        tuple(_effect(choice, examples, holders.get(choice, "")) for choice in choices),
    )


def _effect(role: FieldRole, examples: Sequence[str], holder: str) -> str:
    """What becomes of a field with this role; `holder` is the column that has the role without it."""
    quoted = ", ".join(f"“{one}”" for one in examples) or "its values"
    instead = f"; {holder} holds this now" if holder and role in _ONE_COLUMN else ""
    return _EFFECTS.get(role, "").format(quoted) + instead


def is_unsure(role: FieldRoleOf, kind: SourceKind) -> bool:
    """Whether a person is asked about a role; roles in sources that nothing is made of don't matter."""
    return role.confidence < _UNSURE and kind is not SourceKind.OTHER


def type_questions(rows: Iterable[ContractRow], guessed: Iterable[str]) -> list[Question]:
    """The type of rows for which neither the export nor its values say it, the most charted first."""
    unsure = set(guessed)
    return [
        Question(
            f"type:{row.id}",
            f"What is charted in {row.name!r}?",
            _TYPES if row.value_type in dict(_TYPES) else ((row.value_type, "one of its options"), *_TYPES),
            row.value_type,
            weight=3 + min(row.charted, 100) / 100,
        )
        for row in rows
        if row.id in unsure and not row.retired
    ]


def link_questions(partial: Iterable[Link]) -> list[Question]:
    """Whether a link that holds for a part of the values is meant."""
    return [
        Question(
            f"link:{link.child[0]}:{link.child[1]}:{link.parent[0]}:{link.parent[1]}",
            f"{link.containment:.0%} of {link.child[1]} in {link.child[0]} are {link.parent[1]} of {link.parent[0]}."
            f" Does the column refer to them?",
            (("no", "No"), ("yes", f"Yes, {link.orphans} values lead nowhere")),
            "no",
            weight=2 + link.containment,
        )
        for link in partial
    ]


def most_consequential(questions: Iterable[Question], decisions: Sequence[Decision]) -> list[Question]:
    """The questions that nobody has answered, at most twenty, the most consequential first."""
    answers = {decision.question: decision.answer for decision in decisions}
    open_ones = [question for question in questions if answer_of(question.id, answers) is None]
    return sorted(open_ones, key=lambda question: (-question.weight, question.id))[:MOST_QUESTIONS]


def answer_of(question: str, answers: Mapping[str, str]) -> str | None:
    """The answer to a question; of one about a table, that about the same table of another date counts, too.

    Exports are often called by their date. Where the tables of several dates were decided differently, none counts.
    """
    if question in answers or not question.startswith(("role:", "link:")):
        return answers.get(question)
    alike = {answer for other, answer in answers.items() if _undated(other) == _undated(question)}
    return alike.pop() if len(alike) == 1 else None


def _undated(question: str) -> str:
    """A question without the dates in it: numbers of four digits and more, and what hangs on them."""
    return _DATE.sub("#", question)


def without_subject(decisions: Iterable[Decision], contract: Contract) -> tuple[Decision, ...]:
    """The decisions about rows and columns that a contract does not have."""
    rows = {known for row in contract.rows for known in (row.id, *row.former_ids)}
    columns = {_undated(role_question_id(field.source, field.path)) for field in contract.fields}
    return tuple(
        one
        for one in decisions
        if (one.question.startswith(("type:", "name:", "loinc:", USE)) and one.question.partition(":")[2] not in rows)
        or (one.question.startswith("role:") and _undated(one.question) not in columns)
    )


def with_later(former: Iterable[Decision], later: Iterable[Decision]) -> tuple[Decision, ...]:
    """One answer to each question, the last one given; one that is given again keeps who gave it first."""
    kept: dict[str, Decision] = {}
    for one in (*former, *later):
        if one.question not in kept or kept[one.question].answer != one.answer:
            kept[one.question] = one
    return tuple(kept.values())


ROLE_WORDS = {
    FieldRole.ROW_ID: "the id of a row",
    FieldRole.ROW_NAME: "the name of a row, as nurses read it",
    FieldRole.ROW_ALIAS: "another name or id of a row",
    FieldRole.CATEGORY: "the group of a row",
    FieldRole.VALUE_TYPE: "the type of a row's values",
    FieldRole.UNIT: "the unit",
    FieldRole.LOINC: "the LOINC code of a row",
    FieldRole.OPTION_LIST: "the list of options",
    FieldRole.OPTION_CODE: "the code of an option",
    FieldRole.OPTION_NAME: "the text of an option",
    FieldRole.MINIMUM: "the smallest number",
    FieldRole.MAXIMUM: "the largest number",
    FieldRole.VALUE: "the charted value",
    FieldRole.OBSERVED_AT: "when it was observed",
    FieldRole.RECORDED_AT: "when it was entered",
    FieldRole.PATIENT: "the patient",
    FieldRole.ENCOUNTER: "the stay",
    FieldRole.TEMPLATE: "the template",
    FieldRole.ORDER: "an order",
    FieldRole.ACTIVE: "whether it is in use",
    FieldRole.PERSON: "a person; it is not used",
    FieldRole.OTHER: "something else; it is not used",
}
_EFFECTS = {
    FieldRole.ROW_ID: "Values go back to the record system under {}",
    FieldRole.ROW_NAME: "Rows are called {}",
    FieldRole.ROW_ALIAS: "Rows are also found by {}",
    FieldRole.CATEGORY: "Rows stand in groups: {}",
    FieldRole.VALUE_TYPE: "It decides what can be charted: {}",
    FieldRole.UNIT: "Numbers are charted in {}",
    FieldRole.LOINC: "Other systems know rows as {}",
    FieldRole.OPTION_LIST: "Rows take their options from the lists {}",
    FieldRole.OPTION_CODE: "Options go back to the record system as {}",
    FieldRole.OPTION_NAME: "Nurses choose among {}",
    FieldRole.MINIMUM: "Smaller numbers than these are questioned: {}",
    FieldRole.MAXIMUM: "Larger numbers than these are questioned: {}",
    FieldRole.VALUE: "What was charted: {}; types and options are learned from it",
    FieldRole.OBSERVED_AT: "Values were observed at {}",
    FieldRole.RECORDED_AT: "Values were entered at {}",
    FieldRole.PATIENT: "It tells patients apart, and no value of it is kept",
    FieldRole.ENCOUNTER: "It tells stays apart, and no value of it is kept",
    FieldRole.TEMPLATE: "It tells templates apart: {}",
    FieldRole.ORDER: "Nothing but an order is taken from it",
    FieldRole.ACTIVE: "Rows are in use or retired by {}",
    FieldRole.PERSON: "It identifies people, and no value of it is kept",
    FieldRole.OTHER: "Nothing is made of it",
}
_ONE_COLUMN = (FieldRole.ROW_ID, FieldRole.ROW_NAME, FieldRole.VALUE_TYPE, FieldRole.UNIT, FieldRole.OPTION_NAME)
