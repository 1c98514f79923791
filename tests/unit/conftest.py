"""What the tests of the workbench begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.system import paths
from app.system.settings import Settings, save_settings
from tests.kit.fake_app import FakeEngine, write_schema
from tests.kit.workbench import WorkbenchKit


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[WorkbenchKit]:
    """A workbench that is open, with the small schema; R. Nurse signs."""
    save_settings(Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse"), paths.config_file())
    kit = WorkbenchKit(FakeEngine())
    kit.result(kit.bench.open())
    yield kit
    kit.close()
