"""Applies the corrections that no cue announces: values that their surroundings say were taken back.

`extraction.preparation.self_corrections` knows the words with which people usually correct themselves. What it leaves
is decided by the mention reader, with a doubt: where a value was likely taken back and a comparable one that stands
follows, that takes its place, unless it says its own name. Without one the value stays, for the rule
`extraction.rules.surroundings` to doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.estimators.mention_reader import MentionStatus
from extraction.flowsheet.naming.number_names import measured_in
from extraction.flowsheet.schema import Schema
from extraction.language.analysis import analyse
from extraction.language.edited_text import EditedText
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.measurements import Measurement
from extraction.preparation.correctable_values import CorrectableValue, may_replace
from extraction.preparation.mentions import Mention
from extraction.preparation.self_corrections import Corrected, Correction

# Probabilities that a value was taken back, and that another is current; see docs/measurements.md for how often that
# is so.
_TAKEN_BACK, _STANDS = 0.5, 0.5
_SENTENCES = 2  # after that of the value within which another may replace it


def with_read_corrections(found: Corrected, schema: Schema, mentions: Sequence[Mention]) -> Corrected:
    """Adds the corrections that the surroundings of the values tell, last to first."""
    for number in reversed(range(len(mentions))):
        mention = mentions[number]
        likely = mention.read.of(MentionStatus.CORRECTED)
        if likely >= _TAKEN_BACK and found.text.keeps(*_whole(mention.value)):
            found = _replaced(found, schema, mentions, number)
    return replace(found, corrections=tuple(sorted(found.corrections, key=lambda one: one.taken_back)))


def _replaced(found: Corrected, schema: Schema, mentions: Sequence[Mention], number: int) -> Corrected:
    transcript, old = found.text.transcript, mentions[number].value
    name = _measurement(schema, transcript, old)
    for new in _followers(transcript, found.text, mentions[number + 1 :], old):
        own_name = _measurement(schema, transcript, new)
        if name and own_name and own_name.id != name.id:
            continue
        if own_name is None and name and new.kind == "number" and not name.in_any_unit(new.amount):
            continue
        correction = Correction(_whole(old), _whole(new), is_read=True)
        text = _cut(found.text, old) if own_name else _moved(found.text, old, new)
        return replace(found, text=text, corrections=(*found.corrections, correction))
    return found


def _followers(
    transcript: str, text: EditedText, after: Sequence[Mention], old: CorrectableValue
) -> Iterator[CorrectableValue]:
    """The values that may have been said instead, nearest first."""
    sentences = [one for one in analyse(transcript).sentences if one.end > old.start]
    reach = sentences[: _SENTENCES + 1][-1].end if sentences else old.end
    for one in after:
        new = one.value
        if new.start >= reach:
            return
        if may_replace(old, new) and one.read.doubt < 1 - _STANDS and text.keeps(*_whole(new)):
            yield new


def _measurement(schema: Schema, transcript: str, value: CorrectableValue) -> Measurement | None:
    """What a value is said to measure in its own sentence."""
    for sentence in analyse(transcript).sentences:
        if sentence.start <= value.start < sentence.end:
            for pair in measured_in(schema, sentence.text).pairs:
                if overlap((pair.number.start + sentence.start, pair.number.end + sentence.start), _whole(value)):
                    return pair.measurement
    return None


def _whole(value: CorrectableValue) -> Span:
    """The characters of a value, with its unit if it has one."""
    return value.start, value.end if value.unit else value.number_end


def _cut(text: EditedText, old: CorrectableValue) -> EditedText:
    return text.without(text.read(*_whole(old)))


def _moved(text: EditedText, old: CorrectableValue, new: CorrectableValue) -> EditedText:
    """The text with the new value, and its unit if it has one, in the place of the old one."""
    what = text.read(*_whole(new))
    to = text.read(old.start, old.end if new.unit or not old.unit else old.number_end)
    return text.moved(what, to, (what[0], what[0]))
