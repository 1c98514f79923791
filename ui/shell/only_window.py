"""One window on a data folder: when the program is started again, the window that is open comes to the front."""

from __future__ import annotations

import hashlib
import os
import sys

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from app.system import paths
from ui.shell.window import MainWindow

_WAIT_MS = 3000  # for an answer; a window that gives none hangs, and the new one says what is wrong
_COMES = b"comes\n"


class OnlyWindow(QObject):
    """Where starts of the program on the same data folder meet, within this computer and this user's session.

    Signals:
        called: the program was started again; with the token by which its desktop permits a window to come forward.
    """

    called = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = _name()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._meet)

    def call(self) -> bool:
        """Asks the window that is open to come to the front; False if there is none, or it does not answer."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_WAIT_MS):
            return False
        socket.write(f"{os.environ.get('XDG_ACTIVATION_TOKEN', '')}\n".encode())
        return socket.waitForReadyRead(_WAIT_MS) and socket.readLine().data() == _COMES

    def listen(self) -> None:
        """Answers later starts from now on; where that is impossible, they meet at the lock of the database."""
        QLocalServer.removeServer(self._name)  # that of a program that was killed
        self._server.listen(self._name)

    def close(self) -> None:
        self._server.close()

    def _meet(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(lambda: self._answer(socket))
        if socket.canReadLine():
            self._answer(socket)

    def _answer(self, socket: QLocalSocket) -> None:
        if socket.canReadLine():
            token = bytes(socket.readLine().data()).decode().strip()
            socket.write(_COMES)
            socket.flush()
            self.called.emit(token)


def come_forward(window: MainWindow, token: str) -> None:
    """Brings the window to the front, or where the desktop does not permit it, asks for attention."""
    if token:
        os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt takes it from there
    window.setWindowState((window.windowState() & ~Qt.WindowState.WindowMinimized) | Qt.WindowState.WindowActive)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)
    window.message.show_message("info", "Wardlight is already open.", "This is its window.")


def _name() -> str:
    """The same for every start on this data folder; elsewhere than on Windows, a path that only this user can use."""
    name = f"wardlight-{hashlib.sha256(str(paths.database_file()).encode()).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    return f"{QStandardPaths.writableLocation(QStandardPaths.StandardLocation.RuntimeLocation)}/{name}"
