"""Limits of containers and the driver, as detected for the models."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from models import hardware


def test_this_machine_has_cores_and_memory() -> None:
    found = hardware.detect()
    assert 1 <= found.cores <= (os.cpu_count() or 1)
    assert found.memory_bytes > 256 * 1024**2


@pytest.mark.parametrize(
    ("limit", "cores"), [("150000 100000", 1), ("50000 100000", 1), ("300000 100000", 3), ("max 100000", 8)]
)
def test_a_container_limits_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, cores: int) -> None:
    monkeypatch.setattr(hardware, "_usable_processors", lambda: 8)
    (tmp_path / "cpu.max").write_text(limit + "\n", encoding="ascii")
    assert hardware._cores(tmp_path) == cores


def test_a_container_limits_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware, "_installed_memory", lambda: 8_000)
    assert hardware._memory(tmp_path) == 8_000
    (tmp_path / "memory.max").write_text("2000\n", encoding="ascii")
    assert hardware._memory(tmp_path) == 2_000
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert hardware._memory(tmp_path) == 8_000


@pytest.mark.parametrize(("flags", "has"), [("fpu avx512f avx512_bf16", True), ("fpu avx512f avx512_vnni", False)])
def test_bfloat16_is_used_where_the_processor_multiplies_it(tmp_path: Path, flags: str, has: bool) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags\t\t: {flags}\n", encoding="ascii")
    assert hardware.has_bfloat16(tmp_path / "cpuinfo") is has
    assert not hardware.has_bfloat16(tmp_path / "nothing")
