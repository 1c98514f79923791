"""Reads a question into a query tree, or says why it cannot be answered."""

from __future__ import annotations

from extraction.flowsheet.schema import Schema
from extraction.questions.composing import Composer
from extraction.questions.conditions import Choice, Refused
from extraction.questions.gates import advice_or_forecast, cleaned, left_over, refused_at_once, unknown
from extraction.questions.query import Query, Quote, Reason, Refusal, Understood
from extraction.questions.ward import WardFacts
from extraction.questions.words.names import names_of
from extraction.questions.words.tags import Tagged, tagged
from extraction.questions.words.talk import respelled, without_talk
from extraction.questions.words.vocabulary import question_words

_MOST_RIVALS = 4


def read_question(question: str, schema: Schema, ward: WardFacts) -> Understood:
    """What a question asks; a refusal if it cannot be answered from charted values.

    A tree uses every word of the question that means something; else the question is refused with the words that are
    left, since an answer to another question than the one asked does harm, and a refusal does not.
    """
    text = cleaned(question)
    refusal = refused_at_once(text) or advice_or_forecast(text)
    if refusal is not None:
        return Understood(question, None, refusal)
    tags = _tagged(without_talk(text), schema, ward)
    refusal = refused_at_once(tags.text) or advice_or_forecast(tags.text) or unknown(tags, schema, ward)
    if refusal is not None:
        return Understood(question, None, refusal)
    choice = Choice()
    first = _composed(tags, schema, ward, choice)
    if isinstance(first, Refusal):
        return Understood(question, None, first)
    rivals = _rivals(tags, schema, ward, choice, first)
    if len(rivals) > _MOST_RIVALS:
        return Understood(question, None, Refusal(Reason.NOT_UNDERSTOOD, "", _row_names(rivals, schema)))
    return Understood(question, first, None, rivals if len(rivals) > 1 else (), _pronouns(tags, first))


def _tagged(text: str, schema: Schema, ward: WardFacts) -> Tagged:
    """The tags of a question, once more after its misspelt words are put right."""
    tags = tagged(text, schema, ward)
    if tags.left:
        known = frozenset(names_of(schema).by_word)
        spelt = respelled(text, [(tag.start, tag.end) for tag in tags.left], known)
        if spelt != text:
            return tagged(spelt, schema, ward)
    return tags


def _composed(tags: Tagged, schema: Schema, ward: WardFacts, choice: Choice) -> Query | Refusal:
    composer = Composer(tags, schema, ward, choice)
    try:
        query = composer.query()
    except Refused as refused:
        if refused.refusal.reason is not Reason.NOT_UNDERSTOOD or (refused.refusal.words and not tags.left):
            return refused.refusal
        # words that nothing knows say more than that no tree can be made
        lost = [tag for tag in tags.tags if tag.kind == "name" and tag not in composer.used]
        return left_over(tags, composer.used, lost, schema) or refused.refusal
    return query if isinstance(query, Quote) else left_over(tags, composer.used, composer.unused(), schema) or query


def _rivals(tags: Tagged, schema: Schema, ward: WardFacts, choice: Choice, first: Query) -> tuple[Query, ...]:
    """All readings of which the first was taken, itself first."""
    found: dict[Query, None] = {first: None}
    for place, count in enumerate(choice.open):
        for other in range(1, count):
            query = _composed(tags, schema, ward, Choice(place, other))
            if not isinstance(query, Refusal):
                found[query] = None
            if len(found) > _MOST_RIVALS:
                return tuple(found)
    return tuple(found)


def _row_names(rivals: tuple[Query, ...], schema: Schema) -> tuple[str, ...]:
    from extraction.questions.wording import measures_of

    return tuple(dict.fromkeys(one.name for query in rivals for one in measures_of(query)))


def _pronouns(tags: Tagged, query: Query) -> tuple[str, ...]:
    """Words such as "she" in a question that names nobody: it is answered for all patients, which is shown."""
    if tags.has("subject"):
        return ()
    words = (word.strip("?.,!'") for word in tags.text.lower().split())
    return tuple(dict.fromkeys(word for word in words if word in question_words().pronouns))
