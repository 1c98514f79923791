"""The NVIDIA graphics card, as its driver describes it; CUDA itself is not started."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_NAME_BYTES = 96


@dataclass(frozen=True, slots=True)
class Gpu:
    """The first visible NVIDIA GPU with a working driver.

    Attributes:
        name: as the driver gives it.
        memory_bytes: its whole memory.
        compute_capability: what its cores can run, such as '8.6'.
    """

    name: str
    memory_bytes: int
    compute_capability: str


class _Memory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


def find_gpu() -> Gpu | None:
    """The GPU of this computer; None without one. A runtime may still be built without CUDA."""
    with _driver() as (nvml, device):
        if device is None:
            return None
        name, memory = ctypes.create_string_buffer(_NAME_BYTES), _Memory()
        major, minor = ctypes.c_int(), ctypes.c_int()
        if (
            nvml.nvmlDeviceGetName(device, name, len(name))
            or nvml.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory))
            or nvml.nvmlDeviceGetCudaComputeCapability(device, ctypes.byref(major), ctypes.byref(minor))
        ):
            return None
        return Gpu(name.value.decode(errors="replace"), int(memory.total), f"{major.value}.{minor.value}")


def free_gpu_memory() -> int:
    """Bytes of the GPU's memory that no program uses now; 0 without a GPU."""
    with _driver() as (nvml, device):
        memory = _Memory()
        if device is None or nvml.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory)):
            return 0
        return int(memory.free)


@contextmanager
def _driver() -> Iterator[tuple[Any, ctypes.c_void_p | None]]:
    """NVIDIA's management library, whose functions return 0 on success, and the first GPU; None without one."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in {"", "-1"}:
        yield None, None
        return
    try:
        nvml = ctypes.CDLL("nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1")
    except OSError:  # no driver
        yield None, None
        return
    if nvml.nvmlInit_v2():
        yield None, None
        return
    try:
        device = ctypes.c_void_p()
        found = not nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device))
        yield nvml, device if found else None
    finally:
        nvml.nvmlShutdown()
