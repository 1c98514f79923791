"""How spoken and written words are compared."""

from __future__ import annotations

import pytest

from tests.benchmarks.speech import Errors, clinical_words, compared, spoken_words


@pytest.mark.parametrize(
    ("spoken", "heard", "errors", "lost"),
    [
        ("The lungs are clear.", "the lungs are clear", Errors(4, 0, 2, 0), []),
        ("a hundred and fifty of emesis", "150 of emesis", Errors(3, 0, 2, 0), []),
        ("98 over 64", "98 over 46", Errors(3, 1, 2, 1), [("64", "46")]),
        ("bowel sounds hypoactive", "bowel sounds hyperactive", Errors(3, 1, 3, 1), [("hypoactive", "hyperactive")]),
        ("he has edema", "he has", Errors(3, 1, 1, 1), [("edema", "")]),
        ("he said so", "she said so", Errors(3, 1, 0, 0), []),
        ("he has edema", "he has got some edema", Errors(3, 2, 1, 0), []),
    ],
)
def test_words_and_clinical_terms_are_counted(
    spoken: str, heard: str, errors: Errors, lost: list[tuple[str, str]]
) -> None:
    found, missed = compared(spoken, heard)
    assert (found, list(missed)) == (errors, lost)


def test_numbers_are_compared_by_their_value() -> None:
    assert spoken_words("96% at 9:30") == spoken_words("96 percent at 930")
    assert spoken_words("Pain is six, BP one thirty over eighty.") == spoken_words("pain is 6 BP 130 over 80")


def test_clinical_words_are_no_words_of_every_day() -> None:
    assert {"edema", "hypoactive", "saturation"} <= clinical_words()
    assert not {"that", "just", "have", "been"} & clinical_words()
