"""Record systems for tests: they read messages with libraries of their own, and apply them whatever their order.

A message that came before counts once. What corrects a message that has not come yet waits for it: the state is right
after each message, and the same in the end however the network mixes them up.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import hl7
from fhir.resources.R4B.bundle import Bundle
from hl7.mllp import start_hl7_server

from tests.kit.patience import PATIENCE_SECONDS

HOST = "127.0.0.1"
CERTIFICATE = Path(__file__).parents[1] / "data" / "loopback.pem"  # of this host, with its key, signed by itself
_CONDITIONAL = "POST"


@dataclass(frozen=True)
class Said:
    """One observation of a message: what it says, or nothing if it is withdrawn, and which message it corrects."""

    id: str
    supersedes: str
    row: str
    value: str
    unit: str
    stands: bool


class ChartSystem:
    """What is charted, by id of the observation: row, value and unit."""

    def __init__(self) -> None:
        self.charted: dict[str, tuple[str, str, str]] = {}
        self.taken: list[str] = []
        self._last: dict[str, str] = {}  # the message that was applied last, by observation
        self._early: list[tuple[str, Said]] = []

    def take(self, message_id: str, observations: list[Said]) -> None:
        if message_id in self.taken:
            return
        self.taken.append(message_id)
        self._early += [(message_id, one) for one in observations]
        while ready := [(by, one) for by, one in self._early if self._last.get(one.id, "") == one.supersedes]:
            for by, one in ready:
                self._early.remove((by, one))
                self._last[one.id] = by
                self.charted.pop(one.id, None)
                if one.stands:
                    self.charted[one.id] = (one.row, one.value, one.unit)

    @property
    def rows(self) -> dict[str, tuple[str, str]]:
        """By row, its value and unit."""
        return {row: (value, unit) for row, value, unit in self.charted.values()}


def said_in_hl7(data: bytes) -> tuple[str, list[Said]]:
    """The id and the observations of a message, as python-hl7 reads it."""
    message = hl7.parse(data.decode())
    found: list[Said] = []
    code, identity, supersedes, value, unit, stands = "", "", "", "", "", False

    def end() -> None:
        if identity:
            found.append(Said(identity, supersedes, code, value, unit, stands))

    for segment in message:
        match str(segment[0]):
            case "OBR":
                end()
                identity, code, supersedes = _text(segment, 3), _text(segment, 4), ""
            case "OBX":
                stands = str(segment[11]) in ("F", "C")
                repeats = range(1, len(segment[5]) + 1)
                value = "~".join(_text(segment, 5, repetition=one) for one in repeats)
                unit = _text(segment, 6)
            case "NTE" if _text(segment, 4) == "REPLACES":
                supersedes = str(segment[3])
    end()
    return str(message.segment("MSH")[10]), found


def _text(segment: Any, field: int, repetition: int = 1) -> str:
    if field >= len(segment) or not str(segment[field]):
        return ""
    return hl7.parse("MSH|^~\\&|").unescape(segment.extract_field(field_num=field, repeat_num=repetition))


def said_in_fhir(data: bytes) -> tuple[str, list[Said]]:
    """The id and the observations of a bundle, as fhir.resources reads it."""
    bundle = Bundle.model_validate_json(data)
    resources = [one.resource for one in bundle.entry]
    before = {
        one.target[0].reference.removeprefix("urn:uuid:"): entity.what.identifier.value
        for one in resources
        if one.get_resource_type() == "Provenance"
        for entity in one.entity or ()
        if entity.what.identifier
    }
    observations = [one for one in resources if one.get_resource_type() == "Observation"]
    return bundle.identifier.value, [_observation(one, before.get(one.id, "")) for one in observations]


def _observation(one: Any, supersedes: str) -> Said:
    value, unit = "", ""
    if one.valueQuantity:
        number = one.valueQuantity.value
        value, unit = (str(int(number)) if number == int(number) else str(number)), one.valueQuantity.code
    elif one.component:
        value = "~".join(part.valueCodeableConcept.coding[0].code for part in one.component)
    elif one.valueCodeableConcept:
        value = one.valueCodeableConcept.coding[0].code
    elif one.valueString:
        value = one.valueString
    (row,) = (coding.code for coding in one.code.coding if coding.system != "http://loinc.org")
    return Said(one.id, supersedes, row, value, unit, one.status in ("final", "amended"))


def server_encryption(*, mutual: bool = False) -> ssl.SSLContext:
    """That of a server on this host; a `mutual` one wants a certificate, which must be its own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    if mutual:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(CERTIFICATE)
    return context


@contextmanager
def hl7_listener(answer: Callable[[hl7.Message], str | None]) -> Iterator[tuple[int, list[hl7.Message]]]:
    """The listener of python-hl7: its port, and what it heard. `answer` is the code, or None to hang up."""
    heard: list[hl7.Message] = []
    started: list[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = []
    ready = threading.Event()
    tasks: set[asyncio.Task[None] | None] = set()

    async def serve_one(reader: hl7.mllp.HL7StreamReader, writer: hl7.mllp.HL7StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                message = await reader.readmessage()
                heard.append(message)
                code = answer(message)
                if code is None:
                    break
                writer.writemessage(message.create_ack(code))
                await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def serve() -> None:
        listening = await start_hl7_server(serve_one, HOST, 0, encoding="utf-8", limit=1 << 22)
        stop = asyncio.Event()
        started.append((listening.sockets[0].getsockname()[1], asyncio.get_running_loop(), stop))
        ready.set()
        async with listening:
            await stop.wait()
        await asyncio.gather(*(task for task in tasks if task))

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    [(port, loop, stop)] = started
    try:
        yield port, heard
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE_SECONDS)


class TransactionServer:
    """A receiver of ours over HTTP, in a thread: it applies transactions of FHIR, whole or not at all.

    Attributes:
        resources: by kind and id, what was stored.
        asked: the path and the heads of each request.
        bodies: what came with each.

    Args:
        take: is given each transaction, and says whether it is answered.
        answers: what is answered instead of applying it, one after the other: status, heads and body.
        mutual: whether it wants a certificate, which must be its own.
    """

    def __init__(
        self,
        take: Callable[[bytes], bool] = lambda _: True,
        *answers: tuple[int, dict[str, str], bytes],
        encrypted: bool = False,
        mutual: bool = False,
    ) -> None:
        self.bodies: list[bytes] = []
        self.resources: dict[str, dict[str, Any]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._answers = list(answers)
        self._take = take
        server = self

        class Handler(BaseHTTPRequestHandler):
            timeout = PATIENCE_SECONDS

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.asked.append((self.path, dict(self.headers)))
                server.bodies.append(body)
                if server._answers:
                    status, heads, content = server._answers.pop(0)
                else:
                    status, heads, content = 200, {"Content-Type": "application/fhir+json"}, server._apply(body)
                    if not server._take(body):
                        return
                self.send_response(status)
                for name, value in heads.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = HTTPServer((HOST, 0), Handler)
        if encrypted:
            context = server_encryption(mutual=mutual)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = f"http{'s' if encrypted else ''}://{HOST}:{self._server.server_port}/fhir"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> TransactionServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(PATIENCE_SECONDS)
        self._server.server_close()

    def _apply(self, body: bytes) -> bytes:
        bundle = json.loads(body)
        Bundle.model_validate(bundle)
        assert bundle["type"] == "transaction"
        responses = []
        for entry in bundle["entry"]:
            resource, request = entry["resource"], entry["request"]
            place = f"{resource['resourceType']}/{resource['id']}"
            known = request["method"] == _CONDITIONAL and self._of(resource["identifier"][0])
            if not known:
                self.resources[place] = resource
            responses.append({"response": {"status": "200 OK" if known else "201 Created", "location": place}})
        return json.dumps({"resourceType": "Bundle", "type": "transaction-response", "entry": responses}).encode()

    def _of(self, identifier: dict[str, Any]) -> bool:
        return any(identifier in one.get("identifier", ()) for one in self.resources.values())
