"""What has to be set before Qt's sound library is loaded."""

from PySide6.QtCore import QLoggingCategory


def quieten() -> None:
    """Keeps the sound library from reporting what the system lacks, which the caller says to the person instead.

    Call it before each import of `PySide6.QtMultimedia`: the library reports while it is being loaded, when the system
    holds its lock for loading. A Python message handler would wait there for the interpreter, which may be held by a
    thread that waits to load another library: the program would stand still for good.
    """
    QLoggingCategory.setFilterRules("qt.multimedia*=false")
