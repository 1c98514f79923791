"""What the tests of the workbench begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.system import paths
from app.system.settings import Settings, save_settings
from tests.kit.fake_app import FakeEngine, write_schema
from tests.kit.workspace import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A workbench that is open, with the small schema; R. Nurse signs."""
    save_settings(Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse"), paths.config_file())
    desk = Desk(FakeEngine())
    desk.result(desk.bench.open())
    yield desk
    desk.close()
