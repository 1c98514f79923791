"""How much memory a process has (Linux)."""

from __future__ import annotations

import os
import resource
from pathlib import Path


def resident_bytes(pid: int) -> int:
    """Resident memory of a process; 0 where there is none of this id."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_bytes() -> int:
    """The most memory that this process ever had resident."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
