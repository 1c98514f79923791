"""Prints HTML on the printer that a person chooses."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QDialog, QWidget


def print_html(html: str, title: str, parent: QWidget) -> bool:
    """Asks for a printer and prints; False if the person cancels."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter()
    printer.setDocName(title)
    dialog = QPrintDialog(printer, parent)
    if dialog.exec() != QDialog.DialogCode.Accepted:
        return False
    document = QTextDocument()
    document.setHtml(html)
    document.print_(printer)
    return True
