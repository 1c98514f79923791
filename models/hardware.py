"""Detects the machine's hardware without loading any model."""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from models.gpu import Gpu, find_gpu

# The flags that decide between builds of llama.cpp.
_RELEVANT_FLAGS = frozenset(
    {
        "sse4_2",
        "avx",
        "avx2",
        "fma",
        "f16c",
        "bmi2",
        "avx512f",
        "avx512cd",
        "avx512bw",
        "avx512dq",
        "avx512vl",
        "avx512vbmi",
        "avx512_vnni",
    }
)
_BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16"})
_CPUINFO = Path("/proc/cpuinfo")
_CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Hardware:
    """The hardware available to this process.

    Attributes:
        cores: logical processors that this process may use at once, at least 1.
        memory_bytes: main memory, or the container's limit if lower; 0 if unknown.
        gpu: None without an NVIDIA GPU, see `models.gpu`.
        cpu_flags: the vector instructions relevant to the models; empty if the system does not list them.
    """

    cores: int
    memory_bytes: int
    gpu: Gpu | None
    cpu_flags: frozenset[str]


def detect() -> Hardware:
    """Detects the hardware in a few milliseconds, without creating a GPU context."""
    return Hardware(_cores(), _memory(), find_gpu(), cpu_flags())


def cpu_flags(cpuinfo: Path = _CPUINFO) -> frozenset[str]:
    """The processor's vector instructions in Linux's names; empty on other systems."""
    return _RELEVANT_FLAGS & _all_flags(cpuinfo)


@cache
def has_bfloat16(cpuinfo: Path = _CPUINFO) -> bool:
    """Whether the processor multiplies bfloat16 itself; false where the system does not say.

    Without such instructions, PyTorch takes four times as long for it as for float32.
    """
    return bool(_BFLOAT16_FLAGS & _all_flags(cpuinfo))


def _all_flags(cpuinfo: Path) -> frozenset[str]:
    if not cpuinfo.exists():
        return frozenset()
    for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return frozenset(flags.split())
    return frozenset()


def _cores(cgroup: Path = _CGROUP) -> int:
    count = _usable_processors()
    quota, _, period = _first_line(cgroup / "cpu.max").partition(" ")
    if quota.isdecimal() and period.isdecimal() and int(period):
        count = min(count, int(quota) // int(period))
    return max(count, 1)


def _memory(cgroup: Path = _CGROUP) -> int:
    limit = _first_line(cgroup / "memory.max")
    return min(_installed_memory(), int(limit)) if limit.isdecimal() else _installed_memory()


if sys.platform == "linux":

    def _usable_processors() -> int:
        return len(os.sched_getaffinity(0))

else:

    def _usable_processors() -> int:
        return os.cpu_count() or 1


if sys.platform == "win32":

    class _MemoryStatus(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("installed", ctypes.c_ulonglong),
            ("rest", ctypes.c_ulonglong * 6),
        )

    def _installed_memory() -> int:
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        return int(status.installed) if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else 0

else:

    def _installed_memory() -> int:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _first_line(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""
