"""The scale measurement with a stand-in for the embedder, and what it relies on in the index."""

from __future__ import annotations

import sys
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.retrieval.index import IndexEntry, RowIndex, further_texts, open_index
from models.base.errors import Cancelled
from models.base.progress import (
    NOT_MONITORED,
    Progress,
    ProgressMonitor,
)
from tests.benchmarks import scale
from tests.benchmarks.generated_schema import MOST_ROWS, dictations, generated_schema
from tests.benchmarks.run import Figure
from tests.kit.fake_models import FakeEmbedder, runtimes_of

SCHEMA = generated_schema(300, 1)
VECTORS = sum(1 + len(list(further_texts(row))) for row in as_spoken(SCHEMA).rows)


def measured(folder: Path) -> tuple[scale.Scale, tuple[Figure, ...]]:
    runtimes = runtimes_of(embedder=FakeEmbedder())
    watching: dict[str, Any] = {"monitor": NOT_MONITORED}
    built = scale.measure(runtimes, schema=SCHEMA, said=dictations(3, 4, 1), folder=folder, **watching)
    return built, scale.measure_opened(runtimes, schema=SCHEMA, folder=folder, **watching)


def opened(folder: Path, monitor: ProgressMonitor = NOT_MONITORED) -> RowIndex:
    return open_index(SCHEMA, FakeEmbedder(), "fake", folder, monitor=monitor)


def test_measurement_tells_what_was_built_and_asked(tmp_path: Path) -> None:
    built, stored = measured(tmp_path)
    figures = {figure.name: figure.value for figure in (*built.figures, *stored)}
    assert built.facts["rows"] == 300
    assert built.facts["vectors"] == VECTORS
    assert built.facts["neighbours"] == 120
    assert built.facts["queries"] > 3 * 4  # each sentence, and the clauses of some
    on_disk = sum(file.stat().st_size for file in tmp_path.iterdir()) / 1e6
    assert figures["index on disk"] == pytest.approx(on_disk)
    assert figures["neighbours missed, 1 - recall against exact search"] < 0.01
    assert 0 < figures["search of one query, median"] <= figures["search of one query, p95"]


def test_an_index_that_was_not_stored_is_not_built_in_passing(tmp_path: Path) -> None:
    runtimes = runtimes_of()
    with pytest.raises(AssertionError, match="not used"):
        scale.measure_opened(runtimes, schema=SCHEMA, folder=tmp_path, monitor=NOT_MONITORED)


def test_missed_neighbours_are_counted_and_equals_stand_in() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0.8, -0.6], [0, 1]], dtype=np.float32)
    query = np.array([[1, 0]], dtype=np.float32)
    row = IndexEntry("a", "row", "a")

    def share(*similarities: float) -> list[float]:
        found = [[(row, similarity) for similarity in similarities]]
        return scale.missed_shares(vectors, scale.Asked(query, 2, found, 0.0))

    assert share(1.0, 0.8) == [0.0]
    assert share(1.0, 0.0) == [0.5]
    assert share(0.0, 0.0) == [1.0]


@pytest.mark.parametrize(("value", "code"), [(4.9, 0), (5.1, 1)])
def test_a_missed_target_fails_the_run(
    value: float, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = (Figure("free", 1e9, None, "s"), Figure("search", value, 5.0, "ms"))
    monkeypatch.setattr(scale, "_scale", lambda schema, said: scale.Scale({"rows": len(schema.rows)}, figures))
    out = tmp_path / "made" / "scale.json"
    monkeypatch.setattr(sys, "argv", ["scale", "--rows", "5", "7", "--out", str(out)])
    assert scale.main() == code
    assert out.read_text(encoding="utf-8") == capsys.readouterr().out.rstrip("\n")


@pytest.mark.parametrize("rows", ["0", str(MOST_ROWS + 1)])
def test_sizes_out_of_reach_are_refused(
    rows: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["scale", "--rows", rows])
    with pytest.raises(SystemExit):
        scale.main()
    assert str(MOST_ROWS) in capsys.readouterr().err


def test_index_is_the_same_every_time(tmp_path: Path) -> None:
    files = [tmp_path / place / f"{opened(tmp_path / place).key}.bin" for place in ("one", "other")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_build_reports_all_the_way_and_can_be_stopped_at_every_report(tmp_path: Path) -> None:
    reports: list[Progress] = []
    opened(tmp_path / "whole", ProgressMonitor(reports.append))
    fractions = [report.fraction for report in reports if report.fraction is not None]
    assert len(fractions) == len(reports) > 6
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1] < 1.0) == (0.0, True)
    for step in range(len(reports)):
        answers = chain(repeat(False, step), [True])
        with pytest.raises(Cancelled):
            opened(tmp_path / "stopped", monitor=ProgressMonitor(cancelled=answers.__next__))
        assert not (tmp_path / "stopped").exists()
