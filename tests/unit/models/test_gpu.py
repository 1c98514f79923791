"""The graphics card, as NVIDIA's management library describes it."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from models import gpu
from models.gpu import Gpu, find_gpu, free_gpu_memory


class Driver(SimpleNamespace):
    """The management library of a driver with one GPU; each function returns NVML's status, 0 for success."""

    def __init__(self, started: int = 0, named: int = 0) -> None:
        super().__init__(
            nvmlInit_v2=lambda: started,
            nvmlShutdown=lambda: 0,
            nvmlDeviceGetHandleByIndex_v2=lambda index, device: 0,
            nvmlDeviceGetName=lambda device, buffer, size: self._name(buffer) or named,
            nvmlDeviceGetMemoryInfo=lambda device, memory: self._memory(memory),
            nvmlDeviceGetCudaComputeCapability=lambda device, major, minor: self._capability(major, minor),
        )

    @staticmethod
    def _name(buffer: ctypes.Array[ctypes.c_char]) -> int:
        buffer.value = b"NVIDIA Test"
        return 0

    @staticmethod
    def _memory(memory: Any) -> int:
        found = memory._obj
        found.total, found.free, found.used = 8_000, 3_000, 5_000
        return 0

    @staticmethod
    def _capability(major: Any, minor: Any) -> int:
        major._obj.value, minor._obj.value = 8, 6
        return 0


@pytest.fixture(autouse=True)
def driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    use(monkeypatch, Driver())


def use(monkeypatch: pytest.MonkeyPatch, library: Driver) -> None:
    monkeypatch.setattr(gpu.ctypes, "CDLL", lambda _: library)


def test_the_driver_describes_the_gpu() -> None:
    assert find_gpu() == Gpu("NVIDIA Test", 8_000, "8.6")
    assert free_gpu_memory() == 3_000


def test_a_driver_that_fails_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Driver(started=9))
    assert find_gpu() is None
    assert free_gpu_memory() == 0
    use(monkeypatch, Driver(named=15))
    assert find_gpu() is None


def test_without_a_driver_there_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> Driver:
        raise OSError

    monkeypatch.setattr(gpu.ctypes, "CDLL", missing)
    assert find_gpu() is None


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_a_hidden_gpu_is_not_used(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    assert find_gpu() is None
