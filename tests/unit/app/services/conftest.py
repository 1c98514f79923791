"""A workbench for each engine, on the small ward with or without the ranges of adults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.system import paths
from app.system.settings import Settings, save_settings
from tests.kit.fake_app import FakeEngine, write_schema
from tests.kit.ranges import write_ranged_schema
from tests.kit.workbench import WorkbenchKit


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[Callable[..., WorkbenchKit]]:
    desks: list[WorkbenchKit] = []

    def make(engine: FakeEngine, *, ranged: bool = True) -> WorkbenchKit:
        schema = write_ranged_schema(tmp_path) if ranged else write_schema(tmp_path)
        save_settings(Settings(schema=str(schema), reviewer="R. Nurse"), paths.config_file())
        desks.append(WorkbenchKit(engine))
        desks[-1].result(desks[-1].bench.open())
        return desks[-1]

    yield make
    for kit in desks:
        kit.close()
