"""How much memory a process has (Linux)."""

from __future__ import annotations

import os
from pathlib import Path


def resident_bytes(pid: int) -> int:
    """Resident memory of a process; 0 where there is none of this id."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
