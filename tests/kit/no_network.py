"""Runs a command that dies at its first internet socket (Linux): `python -m tests.kit.no_network COMMAND ...`.

A filter of system calls ends whatever process asks for one, and its children alike, so that neither native code nor a
look-up of a name goes unseen: status -SIGSYS.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import socket
import struct
import sys

# AUDIT_ARCH and the number of socket(2), by machine
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
FORBIDDEN = (socket.AF_INET, socket.AF_INET6)
SUPPORTED = sys.platform == "linux" and platform.machine() in _MACHINES
DIED = -signal.SIGSYS if SUPPORTED else 0

_LOAD, _EQUALS, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16  # where they are in `struct seccomp_data`
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def forbid_internet() -> None:
    """No process from here on may have an internet socket. Raises OSError where the kernel refuses the filter."""
    arch, socket_number = _MACHINES[platform.machine()]
    families = [(_EQUALS, len(FORBIDDEN) - place, 0, family) for place, family in enumerate(FORBIDDEN)]
    program = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUALS, 0, len(families) + 3, arch),
        (_LOAD, 0, 0, _NUMBER),
        (_EQUALS, 0, len(families) + 1, socket_number),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *families,
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _KILL_PROCESS),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    filters = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    for call in ((_NO_NEW_PRIVILEGES, 1, 0, 0, 0), (_SET_SECCOMP, _FILTER, ctypes.addressof(filters), 0, 0)):
        if libc.prctl(*map(ctypes.c_ulong, call)) != 0:
            raise OSError(ctypes.get_errno(), "the kernel refuses a filter of system calls")


if __name__ == "__main__":
    forbid_internet()
    os.execvp(sys.argv[1], sys.argv[1:])
