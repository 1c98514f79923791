"""Limits of containers and the driver, as detected for the models."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from models import hardware


def test_this_machine_has_cores_and_memory() -> None:
    found = hardware.detect()
    assert 1 <= found.cores <= (os.cpu_count() or 1)
    assert found.memory_bytes > 256 * 1024**2
    assert found.cuda == bool(found.cuda_name)


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


class _Driver(SimpleNamespace):
    """The management library of a driver with one GPU; each function returns NVML's status, 0 for success."""

    def __init__(self, started: int = 0) -> None:
        super().__init__(
            nvmlInit_v2=lambda: started,
            nvmlShutdown=lambda: 0,
            nvmlDeviceGetHandleByIndex_v2=lambda index, device: 0,
            nvmlDeviceGetName=self._name,
        )

    @staticmethod
    def _name(device: object, buffer: ctypes.Array[ctypes.c_char], size: int) -> int:
        buffer.value = b"NVIDIA Test"
        return 0


def test_the_driver_names_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: _Driver())
    assert hardware._gpu_name() == "NVIDIA Test"
    monkeypatch.setattr(ctypes, "CDLL", lambda _: _Driver(started=9))
    assert hardware._gpu_name() is None


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_a_hidden_gpu_is_not_used(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: _Driver())
    assert hardware._gpu_name() is None
