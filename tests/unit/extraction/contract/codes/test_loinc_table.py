"""The table of LOINC codes: a wrong code in a chart is harm."""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from app.exchange.fhir.vital_signs import ALSO_CODED, VITAL_SIGNS
from extraction.contract.codes.loinc_table import CodedKind, loinc_codes
from extraction.contract.codes.proposals import _by_name
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.ucum import is_ucum
from extraction.language.vocabulary.measurements import measurements
from extraction.schema_files.checks import is_loinc

NOTICE = "available at no cost under the license at"


def test_every_code_has_its_check_digit_and_codes_what_is_known() -> None:
    known = {*concepts(), *measurements()}
    for code, entry in loinc_codes().items():
        assert is_loinc(code), code
        assert entry.name, code
        assert entry.of or entry.names, code
        assert set(entry.of) <= known, code
        assert all(map(is_ucum, entry.units)), code
        assert bool(entry.units) == (entry.kind is not CodedKind.CHOICE), code


def test_no_name_and_unit_mean_two_codes() -> None:
    for (words, side), codes in _by_name().items():
        units: dict[tuple[CodedKind, str], set[str]] = defaultdict(set)
        for code in codes:
            for unit in code.units or ("",):
                units[code.kind, unit].add(code.code)
        twice = {unit: found for unit, found in units.items() if len(found) > 1}
        assert not twice, (sorted(words), side, twice)


def test_vital_signs_have_no_units_that_their_profiles_refuse() -> None:
    for code, entry in loinc_codes().items():
        if profile := VITAL_SIGNS.get(ALSO_CODED.get(code, code)):
            assert set(entry.units) <= profile.units, code


def test_a_total_is_not_coded_as_its_panel_or_an_item() -> None:
    by_id = {one: entry.code for entry in loinc_codes().values() for one in entry.of}
    assert by_id["flacc_total"] == "38215-0"  # 38213-5 is the panel
    assert by_id["nihss_total"] == "72089-6"  # 70184-7 is its first item


def test_the_notice_that_the_licence_wants_stands_beside_the_codes_and_in_the_notices() -> None:
    table = (files("resources") / "codes" / "loinc.toml").read_text(encoding="utf-8")
    notices = (Path(__file__).parents[5] / "NOTICES.md").read_text(encoding="utf-8")
    for text in (table, notices):
        assert NOTICE in " ".join(text.replace("#", " ").split())
        assert "http://loinc.org/license" in text
