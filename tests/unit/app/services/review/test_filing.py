"""What keeps a dictation from being filed, and how it is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.chart.records import ReviewStatus
from app.cli import main
from app.record.run import NO_RUN
from app.services.review.filing import refuse_unreviewed
from app.store import Store
from app.system import paths
from extraction.flowsheet.findings import Finding
from models.base.errors import InputError
from tests.kit.store import SCHEMA, TRANSCRIPT, recorded
from tests.unit.app.chart.test_sheet import read, sheet_of


def test_a_flagged_value_is_named_as_lit() -> None:
    flagged = replace(read("hr", 110.0, "110"), findings=(Finding("not_named", ("pulse",)),))
    sheet = sheet_of((flagged, ReviewStatus.PROPOSED), (read("rass", 4.0, "four"), ReviewStatus.CONFIRMED))
    lit = replace(sheet, lights={value.id: value.filled.lighting for value in sheet.values if value.filled})
    with pytest.raises(InputError, match=r"Not filed: 1 flagged value is not reviewed \(.*[Hh]eart rate.*\)"):
        refuse_unreviewed(lit)


def test_a_total_that_differs_from_its_components_counts_as_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = sheet_of((read("hr", 110.0, "110"), ReviewStatus.PROPOSED))
    monkeypatch.setattr(
        "app.chart.sheet.differences", lambda _: {sheet.values[0].id: Finding("other_total", ("14", "15", ""))}
    )
    assert not sheet.lights
    with pytest.raises(InputError, match="1 flagged value is not reviewed"):
        refuse_unreviewed(sheet)


def test_a_dictation_without_values_is_filed_only_where_that_is_said() -> None:
    with pytest.raises(InputError, match=r"No values to chart: sign without values\?"):
        refuse_unreviewed(sheet_of())
    refuse_unreviewed(sheet_of(), without_values=True)


def test_the_command_files_a_dictation_without_values_only_with_the_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.charting.review.kept", lambda store, number: (store.dictations.one(number), SCHEMA))
    with Store(paths.database_file()) as store:
        number = recorded(store, tmp_path).id
        store.transcripts.save(number, TRANSCRIPT)
        store.runs.save(number, [], NO_RUN)
    command = ["file", str(number), "--out", str(tmp_path / "out"), "--signed-by", "R. Nurse"]
    assert main(command) == 2
    assert f"Not filed: no values were found in dictation {number}" in capsys.readouterr().err
    with Store(paths.database_file()) as store:
        assert store.filings.of(number) is None
    assert main([*command, "--no-values"]) == 0
    with Store(paths.database_file()) as store:
        assert store.filings.of(number)
