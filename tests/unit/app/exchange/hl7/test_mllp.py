"""A message over MLLP, to receivers on this machine: one that behaves, and others that do not."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from types import SimpleNamespace

import hl7
import pytest

from app.exchange.hl7 import mllp
from app.exchange.hl7.acknowledgements import Acknowledgement
from app.exchange.hl7.errors import DeliveryUnknown, InvalidMessage, NotDelivered, UnreadableAnswer
from tests.kit.chart_systems import CERTIFICATE, hl7_listener, server_encryption
from tests.kit.patience import PATIENCE_SECONDS
from tests.unit.app.exchange.hl7.samples import observation, written

HOST = "127.0.0.1"
ID = "W7"
MESSAGE = written(observation("vent.ie", "1:2 – ½ & \x0b\x1c"), message_id=ID)
ACCEPTED = f"MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AA|{ID}\r".encode()
REFUSED = ACCEPTED.replace(b"MSA|AA", b"MSA|AE")
SHORT = 0.2  # seconds after which a receiver counts as silent that never answers, however long one waits


def send(message: bytes, port: int, host: str = HOST, timeout: float = PATIENCE_SECONDS) -> Acknowledgement:
    return mllp.send(message, host, port, timeout)


def framed(data: bytes) -> bytes:
    return b"\x0b" + data + b"\x1c\r"


class Receiver:
    """Takes one connection, encrypted or not, and does with it what a test says."""

    def __init__(self, act: Callable[[socket.socket], None], encryption: ssl.SSLContext | None = None) -> None:
        self.heard = b""
        self._act, self._encryption = act, encryption
        self._listener = socket.create_server((HOST, 0))
        self._listener.settimeout(PATIENCE_SECONDS)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        connection, _ = self._listener.accept()
        connection.settimeout(PATIENCE_SECONDS)
        with suppress(ConnectionError, ssl.SSLError), self._opened(connection) as connection:
            while piece := connection.recv(7):
                self.heard += piece
                if self.heard.endswith(b"\x1c\r"):
                    self._act(connection)
                    return

    def _opened(self, connection: socket.socket) -> socket.socket:
        if self._encryption is None:
            return connection
        encrypted = self._encryption.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        try:
            encrypted.do_handshake()
        except ssl.SSLError:
            with socket.socket(fileno=encrypted.detach()) as plain:
                plain.settimeout(PATIENCE_SECONDS)
                until_closed(plain)  # closed at once, the sender might not hear why
            raise
        return encrypted

    def close(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        self._listener.setblocking(False)
        with self._listener, pytest.raises(BlockingIOError):
            self._listener.accept()  # nobody else has called


@contextmanager
def receiver(
    act: Callable[[socket.socket], None], encryption: ssl.SSLContext | None = None, *, hears: int = 1
) -> Iterator[int]:
    """The port of a receiver; afterwards it has been sent the message `hears` times, over one connection."""
    opened = Receiver(act, encryption)
    try:
        yield opened.port
    finally:
        opened.close()
        assert opened.heard == framed(MESSAGE) * hears


def until_closed(connection: socket.socket) -> None:
    while connection.recv(1024):
        pass


@pytest.fixture
def server() -> Iterator[tuple[int, list[hl7.Message]]]:
    """The listener of python-hl7, with its port and what it heard; it refuses what concerns bed 13."""
    with hl7_listener(lambda message: "AR" if str(message.segment("PV1")[3]).endswith("13") else "AA") as listening:
        yield listening


def test_a_real_listener_takes_the_message_and_answers(server: tuple[int, list[hl7.Message]]) -> None:
    port, heard = server
    assert send(MESSAGE, port).is_accepted
    assert [str(one).encode() for one in heard] == [MESSAGE]
    many = written(*(observation("vs.heart_rate", 60.0 + number, number) for number in range(1, 40)), message_id="W8")
    assert send(many, port).message_id == "W8"
    assert len(heard[-1].segments("OBX")) == 39


def test_a_real_listener_refuses(server: tuple[int, list[hl7.Message]]) -> None:
    port, heard = server
    answer = send(written(observation("vs.heart_rate", 88.0, patient_bed="13"), message_id=ID), port)
    assert (answer.code, answer.is_accepted) == ("AR", False)
    assert len(heard) == 1


def test_an_answer_may_come_in_pieces() -> None:
    def drop_by_drop(connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in framed(ACCEPTED):
            connection.send(bytes([byte]))
        until_closed(connection)

    with receiver(drop_by_drop) as port:
        assert send(MESSAGE, port).is_accepted


@pytest.mark.parametrize(
    "data", [b"\r\n" + framed(ACCEPTED), b"\x0b" + ACCEPTED + b"\x1c", framed(ACCEPTED.replace(b"\r", b"\r\n"))]
)
def test_an_answer_may_be_framed_a_little_differently(data: bytes) -> None:
    with receiver(lambda connection: connection.sendall(data)) as port:
        assert send(MESSAGE, port).is_accepted


def test_the_first_of_two_answers_counts() -> None:
    with receiver(lambda connection: connection.sendall(framed(REFUSED) + framed(ACCEPTED))) as port:
        assert not send(MESSAGE, port).is_accepted
    with receiver(lambda connection: connection.sendall(framed(ACCEPTED) + framed(ACCEPTED))) as port:
        assert send(MESSAGE, port).is_accepted


def test_a_receiver_that_is_not_there_surely_has_nothing() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))  # and does not listen
        with pytest.raises(NotDelivered) as error:
            send(MESSAGE, taken.getsockname()[1])
    assert error.value.retryable
    assert f"Message {ID} was not sent" in str(error.value)
    assert not isinstance(error.value, DeliveryUnknown)


@pytest.mark.parametrize(("host", "port"), [(HOST, 70000), ("a" * 70, 2575), (f"{'a' * 70}.example", 2575)])
def test_an_address_that_cannot_be_one_surely_has_nothing(host: str, port: int) -> None:
    with pytest.raises(NotDelivered):
        send(MESSAGE, port, host)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda connection: None, "without an answer"),
        (lambda connection: connection.sendall(framed(ACCEPTED)[:-2]), "in the middle of its answer"),
        (reset, "broke before"),
    ],
)
def test_a_receiver_that_hangs_up_may_have_the_message(act: Callable[[socket.socket], None], says: str) -> None:
    with receiver(act) as port, pytest.raises(DeliveryUnknown) as error:
        send(MESSAGE, port)
    assert says in str(error.value)
    assert ID in str(error.value)
    assert not error.value.retryable


def test_a_receiver_that_hangs_up_while_it_is_sent_to_may_have_the_message() -> None:
    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(PATIENCE_SECONDS)

        def hang_up() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(PATIENCE_SECONDS)
                assert connection.recv(1) == b"\x0b"
                reset(connection)

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(DeliveryUnknown):
            send(MESSAGE + b"x" * (1 << 24), listener.getsockname()[1])  # more than fits on the way
        thread.join(PATIENCE_SECONDS)


def test_a_receiver_that_stays_silent_may_have_the_message() -> None:
    with receiver(until_closed) as port, pytest.raises(DeliveryUnknown, match="no answer came within"):
        send(MESSAGE, port, timeout=SHORT)


def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count()
    monkeypatch.setattr(mllp, "time", SimpleNamespace(monotonic=lambda: next(seconds)))

    def without_end(connection: socket.socket) -> None:
        connection.sendall(b"\x0b")
        while True:
            connection.sendall(b"MSH|")

    with receiver(without_end) as port, pytest.raises(DeliveryUnknown, match="no answer came within 4 seconds"):
        send(MESSAGE, port, timeout=4)


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        ACCEPTED,
        framed(b""),
        framed(b"OK"),
        framed(ACCEPTED.replace(b"W7", b"W6")),
        framed(ACCEPTED[:-4]),
        b"\x0b" + b"x" * (1 << 21),
    ],
)
def test_a_receiver_that_talks_nonsense_may_have_the_message(data: bytes) -> None:
    with receiver(lambda connection: connection.sendall(data)) as port, pytest.raises(UnreadableAnswer):
        send(MESSAGE, port)


@pytest.mark.parametrize(
    "data", [b"", b"PID|1", b"MSH|^~\\&|A", MESSAGE + b"\x1c", MESSAGE.replace(b"PID", b"\x0bPID")]
)
def test_what_would_not_arrive_whole_is_not_sent(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("connected"))
    with pytest.raises(InvalidMessage):
        send(data, 1)


# encrypted


def believing(*, showing: bool = False) -> ssl.SSLContext:
    """The encryption of a sender that believes the receiver, `showing` a certificate of its own or not."""
    context = ssl.create_default_context(cafile=CERTIFICATE)
    if showing:
        context.load_cert_chain(CERTIFICATE)
    return context


def accepts(connection: socket.socket) -> None:
    connection.sendall(framed(ACCEPTED))


@pytest.mark.parametrize("mutual", [False, True])
def test_an_encrypted_receiver_takes_the_message(*, mutual: bool) -> None:
    with receiver(accepts, server_encryption(mutual=mutual)) as port:
        assert mllp.send(MESSAGE, HOST, port, PATIENCE_SECONDS, believing(showing=mutual)).is_accepted


def test_a_receiver_that_is_not_believed_surely_has_nothing() -> None:
    with (
        receiver(accepts, server_encryption(), hears=0) as port,
        pytest.raises(NotDelivered, match=r"(?i)certificate"),
    ):
        mllp.send(MESSAGE, HOST, port, PATIENCE_SECONDS, ssl.create_default_context())


def test_a_receiver_that_wants_a_certificate_surely_has_nothing() -> None:
    with (
        receiver(accepts, server_encryption(mutual=True), hears=0) as port,
        pytest.raises(NotDelivered, match=r"(?i)certificate"),
    ):
        mllp.send(MESSAGE, HOST, port, PATIENCE_SECONDS, believing())


def test_a_receiver_without_encryption_hears_nothing_of_the_message() -> None:
    heard = []

    def hangs_up(connection: socket.socket) -> None:
        """Never called: what begins an encrypted connection does not end like a message."""
        heard.append(connection)

    opened = Receiver(hangs_up)
    with pytest.raises(NotDelivered):
        mllp.send(MESSAGE, HOST, opened.port, SHORT, believing())
    opened.close()
    assert not heard
    assert MESSAGE not in opened.heard
