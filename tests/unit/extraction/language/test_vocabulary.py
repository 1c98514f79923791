"""Vocabularies: the shipped ones are valid, and a ward can extend them; invalid additions are refused."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from extraction.filling.closed_answers import choices
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import families_of
from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.language.assertion import Status, scopes
from extraction.language.negation import denials
from extraction.language.numbers import dates, numbers, shares
from extraction.language.quantities import number_ranges
from extraction.language.sentences import segment
from extraction.language.vocabulary.confusable_words import Care, confusable
from extraction.language.vocabulary.cues import cues, faults
from extraction.language.vocabulary.loader import shipped_vocabulary, use_ward_folder, vocabulary, vocabulary_names
from extraction.language.vocabulary.phrases import any_of, whole_words
from extraction.preparation.exception_statements import statements
from extraction.preparation.observation_times import moments
from extraction.preparation.people.other_patients import of_others
from extraction.preparation.people.patient_names import Person, forms, place_of
from extraction.preparation.self_corrections import corrected
from extraction.ward_vocabulary import _READERS, additions, check_vocabularies
from models.base.errors import InputError
from tests.kit.language import add_words

DOCS = Path(__file__).parents[4] / "docs" / "vocabulary.md"
CUES = (
    *("assertion", "corrections", "exception", "former", "measurement_cues", "negation", "patients", "sentences"),
    "times",
)
SCHEMA = Schema(
    "t", "T", "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",)),
        Row("loc", "Level of consciousness", ValueType.SINGLE_SELECT, ("Neuro",), (Option("Alert"), Option("Drowsy"))),
    ),
    "0" * 64, "t", (Definition(("Neuro",), ("neuro",), (("loc", "Alert"),)),),
)  # fmt: skip


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Path]:
    """Installs a folder of ward vocabularies."""
    folder = tmp_path / "language"
    folder.mkdir()
    use_ward_folder(folder)
    yield folder
    use_ward_folder(None)


# shipped vocabularies


@pytest.mark.parametrize("name", [*CUES, "questions", "sizes"])
def test_every_shipped_phrase_compiles_and_is_unique_in_its_list(name: str) -> None:
    def lists(table: object, place: str) -> Iterator[tuple[str, list[str]]]:
        if isinstance(table, dict):
            for key, value in table.items():
                yield from lists(value, f"{place}.{key}")
        elif isinstance(table, list):
            yield place, table

    def emptied(table: object) -> object:
        return {key: emptied(value) for key, value in table.items()} if isinstance(table, dict) else []

    found = dict(lists(dict(cues(name)), name))
    assert sum(map(len, found.values())) > 10
    assert list(faults(cues(name), emptied(cues(name)))) == []
    assert {place for place, entries in found.items() if len(entries) != len(set(entries))} == set()


def test_check_vocabularies_reads_every_shipped_vocabulary() -> None:
    assert set(_READERS) == set(vocabulary_names())
    check_vocabularies()


def test_without_a_ward_folder_the_shipped_words_apply(tmp_path: Path) -> None:
    shipped = {name: vocabulary(name) for name in vocabulary_names()}
    use_ward_folder(tmp_path / "there is none")
    try:
        assert {name: vocabulary(name) for name in vocabulary_names()} == shipped
        assert list(additions()) == []
        check_vocabularies()
    finally:
        use_ward_folder(None)


# patterns


def test_the_longest_phrase_matches_with_any_white_space() -> None:
    pattern = whole_words(["no", "no longer", "[ab ]c"])
    assert [match.group() for match in pattern.finditer("No \n longer, no nose, ac  c")] == [
        "No \n longer", "no", "ac", " c",
    ]  # fmt: skip
    assert any_of(["a b?"]) == r"(?:(?:a(?:\s+)b?))"


def test_an_empty_list_of_phrases_matches_nothing() -> None:
    assert whole_words([]).search("no") is None


# ward additions


def test_a_ward_cue_starts_a_correction(ward: Path) -> None:
    text = "Heart rate 88, let the record show 98."
    assert corrected(text, SCHEMA).text.text == text
    add_words(ward, "corrections", 'correct = ["let the record show"]')
    use_ward_folder(ward)
    found = corrected(text, SCHEMA)
    assert found.text.text == "Heart rate 98."
    assert [(text[slice(*one.taken_back)], text[slice(*one.instead or ())]) for one in found.corrections] == [
        ("88", "98")
    ]


def test_a_ward_cue_denies_the_following_finding(ward: Path) -> None:
    text = "Zero signs of nausea, she slept."
    assert denials(text) == []
    add_words(ward, "negation", 'forward = ["zero signs of"]')
    use_ward_folder(ward)
    assert [text[slice(*span)] for span in denials(text)] == [" nausea"]


def test_a_ward_cue_sets_the_status_of_the_following_words(ward: Path) -> None:
    text = "Known for falls, pain is 4."
    assert scopes(text) == []
    add_words(ward, "assertion", '[historical]\nforward = ["known for"]')
    use_ward_folder(ward)
    (scope,) = scopes(text)
    assert (scope.status, text[scope.start : scope.end]) == (Status.HISTORICAL, "Known for falls")


def test_a_ward_phrase_charts_a_category_by_its_definition(ward: Path) -> None:
    text = "Neuro unremarkable bar the pupils."
    assert statements(text, SCHEMA) == []
    add_words(ward, "exception", 'limits = ["unremarkable"]\nexcept = ["bar"]')
    use_ward_folder(ward)
    (statement,) = statements(text, SCHEMA)
    assert statement.definition == SCHEMA.definitions[0]
    assert statement.exception
    assert text[slice(*statement.exception)] == "pupils"


def test_ward_words_name_and_introduce_a_bed(ward: Path) -> None:
    text = "Bed 12 slept well. Hopping over to bay 14. Heart rate is 88."
    assert of_others(text, Person(bed="12"))[0] == ()
    add_words(ward, "patients", 'leads = ["hopping over to"]\nbeds = ["bay"]')
    use_ward_folder(ward)
    (other,), _ = of_others(text, Person(bed="12"))
    assert (other.called, text[other.start :]) == ("bed 14", "Hopping over to bay 14. Heart rate is 88.")


def test_a_ward_abbreviation_does_not_end_a_sentence(ward: Path) -> None:
    add_words(ward, "sentences", 'abbreviations = ["lt"]')
    use_ward_folder(ward)
    assert [one.text for one in segment("Lt. arm is warm. Pain is 4.")] == ["Lt. arm is warm.", "Pain is 4."]


def test_a_ward_ordinal_identifies_one_of_several_drains(ward: Path) -> None:
    whats = ("site", "type", "output")
    rows = tuple(
        Row(f"drain{n}.{what}", f"Surgical drain {n} {what}", ValueType.TEXT, ("Drains",))
        for n in (1, 2)
        for what in whats
    )
    (family,) = families_of(Schema("t", "T", "1", rows, "0" * 64, "t"))
    text = "The second drain and the fifth drain are dry, drain three as well."
    assert family.numbers_said(text) == [2, 3]
    add_words(ward, "numbers", "[ordinals]\nfifth = 5")
    use_ward_folder(ward)
    assert family.numbers_said(text) == [2, 3, 5]


def test_ward_words_that_sound_alike_are_doubted(ward: Path) -> None:
    add_words(ward, "confusable", '[always]\nwords = [["hydralazine", "hydroxyzine"]]')
    use_ward_folder(ward)
    assert confusable("en").between("hydroxyzine", "hydralazine") is Care.ALWAYS


def test_a_ward_word_for_minus_makes_a_number_negative(ward: Path) -> None:
    row = Row("balance", "Fluid balance", ValueType.NUMERIC, ("Intake",), minimum=-5000.0)
    add_words(ward, "negation", 'below_zero = ["down by"]')
    use_ward_folder(ward)
    assert [one.value for one in choices(row, segment("Balance down by 300."), dt.date(2026, 1, 31))] == [-300.0]


def test_a_ward_number_word_is_parsed(ward: Path) -> None:
    text = "Pulse one niner two, bed niner."
    assert [said.value for said in numbers(text)] == [1.0, 2.0]
    add_words(ward, "numbers", '[numbers]\nniner = 9\nfourty = 40\n[shares]\n"four fifths" = 80.0')
    use_ward_folder(ward)
    assert [said.value for said in numbers("niner hundred fourty niner")] == [949.0]
    assert [said.value for said in shares("four  fifths of it")] == [80.0]
    place = forms().place.search("over to bed niner")
    assert place
    assert place_of(place).called == "bed 9"
    use_ward_folder(None)
    assert [said.value for said in numbers("niner hundred")] == [100.0]


def test_ward_words_join_the_ends_of_a_range(ward: Path) -> None:
    text = "Rate 80 thru 90, sats 92 plus 94, betwixt 2 and 4, dropping 9 to 8."
    assert [text[slice(*span)] for span in number_ranges(text, numbers(text))] == ["9 to 8"]
    add_words(
        ward,
        "numbers",
        'range_joins = ["thru"]\nchange_words = ["dropping"]\n[range_frames]\nbetwixt = "and"\nsats = "plus"',
    )
    use_ward_folder(ward)
    assert [text[slice(*span)] for span in number_ranges(text, numbers(text))] == [
        "80 thru 90",
        "92 plus 94",
        "2 and 4",
    ]
    add_words(ward, "numbers", '[range_frames]\nbetwixt = "and so"')
    use_ward_folder(ward)
    with pytest.raises(InputError, match="and so is not a possible value of “betwixt”"):
        number_ranges(text, numbers(text))


def test_ward_words_state_times_of_observation(ward: Path) -> None:
    text = "Pulse was 96 nearing 0630. Foley placed Sept 5. He slept at first light."
    now = dt.datetime.fromisoformat("2026-09-30T14:30")
    assert moments(segment(text), now) == ()
    assert dates(text, now.date()) == ()
    add_words(ward, "times", 'leads = ["nearing"]\nnight = ["at first light"]\n[months]\nseptember = ["sept?"]')
    use_ward_folder(ward)
    timed, vague = moments(segment(text), now)
    assert timed.at == now.replace(hour=6)
    assert vague.finding == Finding("time_vague", ("at first light",))
    assert [day.value for day in dates(text, now.date())] == ["2026-09-05"]


def test_changing_the_ward_folder_clears_all_caches(ward: Path) -> None:
    add_words(ward, "negation", 'forward = ["zero"]')
    use_ward_folder(ward)
    assert denials("Zero pain") == [(4, 9)]
    use_ward_folder(None)
    assert denials("Zero pain") == []


def test_ward_files_are_listed_with_their_number_of_entries(ward: Path) -> None:
    path = add_words(ward, "corrections", 'correct = ["let the record show", "i mean to say"]\nfillers = ["er"]')
    other = add_words(ward, "assertion", '[other]\nforward = ["his twin has"]')
    use_ward_folder(ward)
    assert [(one.path, one.entries, one.fault) for one in additions()] == [(other, 1, None), (path, 3, None)]


# refusals


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("corrections", 'correct = ["(let me"]', "correct: “(let me” is not a valid regular expression"),
        ("corrections", 'correct = ["let me) correct (that"]', "correct: “let me) correct (that” is not a valid"),
        ("corrections", 'correct = ["(?i)let me"]', "correct: “(?i)let me” is not a valid regular expression"),
        ("corrections", 'weak = ["(let|make) me"]', "weak: “(let|make) me” has a group"),
        ("corrections", 'weak = ["(?:let me)?"]', "weak: “(?:let me)?” fits any word, or none"),
        ("corrections", 'weak = ["\\\\w+"]', "weak: “\\w+” fits any word, or none"),
        ("corrections", 'weak = ["."]', "weak: “.” fits any word, or none"),
        ("corrections", 'weak = [""]', "weak: “” must be a text"),
        ("corrections", 'weak = [" let me"]', "weak: “ let me” must be a text"),
        ("corrections", 'weak = ["Let me"]', "weak: “Let me” must be in lower case"),
        ("corrections", 'subject_words = ["the nurse"]', "subject_words: “the nurse” must be a single word"),
        ("corrections", 'wekk = ["let me"]', "wekk: it is not known; there are: strike, "),
        ("corrections", 'weak = [3]', "weak is not known, or is of another kind"),
        ("corrections", 'weak = "let me"', "weak is not known, or is of another kind"),
        ("corrections", "weak = [", "cannot be read"),
        ("assertion", "[historical]\ncomma = false", "historical.comma is not known, or is of another kind"),
        ("assertion", '[planned]\nforeward = ["let me"]', "planned.foreward is not known"),
        ("assertion", '[named]\nnot = ["("]', "named.not: “(” is not a valid regular expression"),
        ("assertion", "[named]\nnot = [3]", "named.not: “3” must be a text"),
        ("assertion", '[wrong]\nforward = ["let me"]', "wrong is not known"),
        ("confusable", '[always]\nwords = [["hypo"]]', "always.words has ['hypo'], which is not a pair"),
        ("confusable", '[sometimes]\nwords = [["a", "b"]]', "there is no group “sometimes”"),
        ("numbers", "[numbers]\nscore = 25", "numbers: 25 is not a possible value of “score”"),
        ("numbers", "[numbers]\n\"two dozen\" = 10", "numbers: “two dozen” must be a single word"),
        ("numbers", "[ordinals]\nfifth = 0", "ordinals: 0 is not a possible value of “fifth”"),
        ("numbers", "[scales]\nmyriad = 10000", "scales: 10000 is not a possible value of “myriad”"),
        ("numbers", "[scales]\nninety = 100", "scales: “ninety” stands in numbers, too"),
        ("numbers", "[fractions]\nthird = 33.0", "fractions: 33.0 is not a possible value of “third”"),
        ("numbers", "[numbers]\nnine = 8", "numbers.nine is not known, or is of another kind"),
        ("numbers", 'nought_words = ["o"]', "nought_words: “o” must be a single word"),
        ("times", 'leads = ["(at)"]', "leads: “(at)” has a group"),
        ("times", '[months]\nnivose = ["nivose"]', "months.nivose: it is not known"),
        ("correction", 'weak = ["let me"]', "adds to no vocabulary"),
    ],
)  # fmt: skip
def test_an_invalid_file_is_refused_with_its_location(ward: Path, name: str, content: str, place: str) -> None:
    path = add_words(ward, name, content)
    use_ward_folder(ward)
    with pytest.raises(InputError) as caught:
        check_vocabularies()
    assert str(path) in caught.value.what
    assert place in caught.value.what
    assert caught.value.next_step
    assert [(one.path, one.fault is None) for one in additions()] == [(path, False)]


def test_a_file_outside_a_language_folder_is_refused(ward: Path) -> None:
    (ward / "corrections.toml").write_text('weak = ["let me"]')
    with pytest.raises(InputError, match=r"corrections\.toml adds to no vocabulary"):
        check_vocabularies()


def test_a_corrected_file_is_read_again_at_the_next_use(ward: Path) -> None:
    add_words(ward, "negation", 'forward = ["("]')
    use_ward_folder(ward)
    with pytest.raises(InputError):
        denials("Zero pain")
    add_words(ward, "negation", 'forward = ["zero"]')
    assert denials("Zero pain") == [(4, 9)]


def test_an_unreadable_folder_is_reported(ward: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_file(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", is_file)
    use_ward_folder(ward)
    with pytest.raises(InputError, match=r"language/en/\w+\.toml cannot be read: Permission denied"):
        check_vocabularies()


def test_a_file_may_begin_with_a_byte_order_mark(ward: Path) -> None:
    add_words(ward, "negation", '\ufeffforward = ["zero"]')
    use_ward_folder(ward)
    assert denials("Zero pain") == [(4, 9)]


def test_an_invalid_file_does_not_disable_the_others(ward: Path) -> None:
    add_words(ward, "negation", 'forward = ["("]')
    good = add_words(ward, "corrections", 'weak = ["let me see"]')
    use_ward_folder(ward)
    assert [(one.path, one.entries) for one in additions() if one.fault is None] == [(good, 1)]


def test_shipped_entries_cannot_be_removed(ward: Path) -> None:
    add_words(ward, "negation", "forward = []")
    use_ward_folder(ward)
    assert vocabulary("negation") == shipped_vocabulary("negation")


# docs/vocabulary.md


def test_the_vocabulary_page_documents_every_file_and_key() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for name in vocabulary_names():
        assert f"### `{name}.toml`" in page
    for name in CUES:
        section = page.partition(f"### `{name}.toml`")[2].partition("###")[0]
        tables = [
            value for key, value in shipped_vocabulary(name).items() if isinstance(value, dict) and key != "months"
        ]
        keys = {key for table in (shipped_vocabulary(name), *tables) for key in table}
        assert {key for key in keys if f"`{key}`" not in section} == set()
    for name in ("numbers", "questions"):
        section = page.partition(f"### `{name}.toml`")[2].partition("###")[0]
        assert {key for key in shipped_vocabulary(name) if f"`{key}`" not in section} == set()


def test_the_examples_on_the_vocabulary_page_work(ward: Path) -> None:
    examples = re.findall(r"```toml\n\s*# (\w+)\.toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert [name for name, _ in examples] == ["corrections", "assertion"]
    for name, content in examples:
        add_words(ward, name, content)
    use_ward_folder(ward)
    check_vocabularies()
    assert corrected("Pain is 4, put it down as 5.", SCHEMA).text.text == "Pain is 5."
    assert corrected("Pain is 4. Temperature is 38, never said that.", SCHEMA).text.text == "Pain is 4."
    assert [scope.status for scope in scopes("Her twin has asthma.")] == [Status.OTHER]
