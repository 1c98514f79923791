"""The outbox as the window uses it: a job, which a slow receiver holds up, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.system.record_system import DeliverySettings
from tests.kit.chart_systems import TransactionServer
from tests.kit.fake_app import FakeEngine
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.workbench import WorkbenchKit


def test_while_a_receiver_thinks_everything_else_goes_on(new_desk: Callable[..., WorkbenchKit], tmp_path: Path) -> None:
    desk = new_desk(FakeEngine())
    bench = desk.bench
    asked, thinks = threading.Event(), threading.Event()

    def take(data: bytes) -> bool:
        asked.set()
        return thinks.wait(PATIENCE_SECONDS)

    with TransactionServer(take) as server:
        delivery = DeliverySettings("fhir", address=server.address)
        desk.result(bench.settings.apply(replace(bench.settings.current, delivery=delivery)))
        sheet = desk.filled(tmp_path)
        desk.result(bench.review.decide(sheet, [one.id for one in sheet.values], "confirm"))
        sheet = desk.sheet(sheet.dictation.id)
        desk.result(bench.filing.file(sheet, tmp_path / "filed", ("json",)))
        sending = bench.delivery.deliver()
        assert asked.wait(PATIENCE_SECONDS)
        assert desk.result(bench.filing.export(sheet, tmp_path / "out", ("csv", "fhir")))
        assert desk.filled(tmp_path).values
        assert not sending.ended
        thinks.set()
        (line,) = desk.result(sending).lines
    assert line.state_words == "accepted"
    assert sum(place.startswith("Observation/") for place in server.resources) == line.final > 0
