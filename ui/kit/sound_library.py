"""Settings to make before Qt's sound library is loaded."""

from PySide6.QtCore import QLoggingCategory


def quieten() -> None:
    """Silences the sound library's log about what the system lacks; the caller tells the user instead.

    Call it before each import of `PySide6.QtMultimedia`: the library logs while it is being loaded, under the system's
    loader lock. A Python message handler would wait there for the interpreter lock, whose holder may be waiting to load
    another library: a deadlock.
    """
    QLoggingCategory.setFilterRules("qt.multimedia*=false")
