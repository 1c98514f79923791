"""The bootstrap's decisions, without installing anything."""

from __future__ import annotations

import ast
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from models.gpu import Gpu
from models.hardware import cpu_flags

ROOT = Path(__file__).parents[3]
AVX2 = frozenset({"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2"})
AVX512 = AVX2 | {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A fresh copy of the module whose environment lies in a temporary folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "packaging" / "bootstrap.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.VENV = tmp_path / "venv"
    module.VENV.mkdir()
    module.BIN = Path(sys.executable).parent
    monkeypatch.setenv("WARDLIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("WARDLIGHT_CUDA", raising=False)
    return module


# what runs before anything is installed


def test_it_uses_the_standard_library_alone() -> None:
    tree = ast.parse((ROOT / "packaging" / "bootstrap.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {name for name in names if name.partition(".")[0] not in sys.stdlib_module_names}
    assert foreign == {"models.gpu", "models.hardware"}


def test_an_old_python_can_read_it_far_enough_to_be_told(bootstrap: ModuleType, monkeypatch) -> None:
    ast.parse((ROOT / "packaging" / "bootstrap.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(bootstrap.Stop, match=r"needs Python 3\.11 or 3\.12, and this is 3\.9"):
        bootstrap.use_supported_python((3, 9))


def test_another_python_that_runs_takes_over(bootstrap: ModuleType, monkeypatch) -> None:
    own = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    taken = []
    monkeypatch.setattr(shutil, "which", lambda name: sys.executable if name == own else "/nowhere/python")
    monkeypatch.setattr(os, "execv", lambda program, arguments: taken.append((program, arguments)))
    with pytest.raises(bootstrap.Stop):  # a real execv would not come back
        bootstrap.use_supported_python((3, 14))
    assert taken == [(sys.executable, [sys.executable, *sys.argv])]


def test_the_folder_packaging_hides_no_library() -> None:
    code = "import packaging.version; print(packaging.__file__)"
    for folder in (ROOT, ROOT / "packaging"):
        found = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
        assert "site-packages" in found.stdout


# the processor


def test_each_instruction_set_is_on_only_where_the_processor_has_it(bootstrap: ModuleType) -> None:
    flags = bootstrap.x86_flags(AVX2)
    assert {"-DGGML_AVX2=ON", "-DGGML_FMA=ON", "-DGGML_F16C=ON", "-DGGML_BMI2=ON", "-DGGML_AVX512=OFF"} <= set(flags)
    assert {"-DGGML_AVX=ON", "-DGGML_AVX2=OFF"} <= set(bootstrap.x86_flags(frozenset({"avx"})))
    full = bootstrap.x86_flags(AVX512 | {"avx512vbmi", "avx512_vnni"})
    assert {"-DGGML_AVX512=ON", "-DGGML_AVX512_VBMI=ON", "-DGGML_AVX512_VNNI=ON"} <= set(full)
    # llama.cpp compiles five AVX-512 groups under one switch.
    assert "-DGGML_AVX512=OFF" in bootstrap.x86_flags(AVX512 - {"avx512dq"} | {"avx512_vnni"})
    assert "-DGGML_AVX512_VNNI=OFF" in bootstrap.x86_flags(AVX512 - {"avx512dq"} | {"avx512_vnni"})


@pytest.mark.parametrize("flags", [frozenset(), AVX2, AVX512])
def test_native_and_amx_are_never_compiled_in(bootstrap: ModuleType, flags: frozenset[str]) -> None:
    off = {"-DGGML_NATIVE=OFF", "-DGGML_AMX_TILE=OFF", "-DGGML_AMX_INT8=OFF", "-DGGML_AMX_BF16=OFF"}
    assert off <= set(bootstrap.x86_flags(flags))


def test_the_flags_come_from_cpuinfo(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu sse4_2 avx avx2 amx_tile\n\nprocessor\t: 1\n", encoding="utf-8")
    assert cpu_flags(cpuinfo) == {"sse4_2", "avx", "avx2"}
    assert cpu_flags(tmp_path / "missing") == frozenset()


def test_another_architecture_keeps_llama_cpps_own_settings(bootstrap: ModuleType, monkeypatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    assert bootstrap.cmake_flags() == ["-DLLAVA_BUILD=OFF"]


CARD = Gpu("NVIDIA Test", 8_000_000_000, "8.6")


def test_llama_cpp_is_compiled_for_the_graphics_card_that_is_there(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"{path}/{name}" if path else None)
    cuda = ["-DGGML_CUDA=ON", "-DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc", "-DCMAKE_CUDA_ARCHITECTURES=86"]
    assert bootstrap.cuda_flags(CARD) == cuda
    assert bootstrap.cuda_flags(None) == []
    monkeypatch.setenv("WARDLIGHT_CUDA", "0")
    assert bootstrap.cuda_flags(CARD) == []


@pytest.mark.parametrize(("gpu", "compiler"), [(None, "/usr/bin/nvcc"), (CARD, None)])
def test_without_card_or_compiler_it_is_not_unless_that_is_asked_for(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, gpu: Gpu | None, compiler: str | None
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: compiler)
    assert bootstrap.cuda_flags(gpu) == []
    monkeypatch.setenv("WARDLIGHT_CUDA", "1")
    with pytest.raises(bootstrap.Stop, match="CUDA toolkit"):
        bootstrap.cuda_flags(gpu)


def test_a_build_for_the_card_that_fails_names_the_way_without_it(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise bootstrap.Stop("'pip wheel' failed.")

    monkeypatch.setattr(bootstrap, "install_compiled", fail)
    with pytest.raises(bootstrap.Stop, match="WARDLIGHT_CUDA=0"):
        bootstrap.install_llama(["-DGGML_CUDA=ON"])
    with pytest.raises(bootstrap.Stop, match=r"failed\.$"):
        bootstrap.install_llama([])


# the lock


def test_the_lock_pins_everything_exactly_and_names_no_index() -> None:
    lines = [
        line
        for name in ("requirements.txt", "requirements-dev.txt")
        for line in (ROOT / "packaging" / name).read_text(encoding="utf-8").splitlines()
        if not line.startswith("#") and line != "-r requirements.txt"
    ]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line) for line in lines), lines
    assert len({line.partition("==")[0] for line in lines}) == len(lines)


def test_the_lock_agrees_with_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name, direct in (
        ("requirements.txt", project["project"]["dependencies"]),
        ("requirements-dev.txt", project["dependency-groups"]["dev"]),
    ):
        locked = (ROOT / "packaging" / name).read_text(encoding="utf-8").splitlines()
        assert {requirement.lower() for requirement in direct} <= set(locked)
    assert project["build-system"]["requires"][0] in (ROOT / "packaging" / "requirements.txt").read_text(
        encoding="utf-8"
    )


def test_a_package_that_the_lock_lacks_is_named(bootstrap: ModuleType) -> None:
    assert bootstrap.pinned("torch") == "torch==2.13.0"
    with pytest.raises(bootstrap.Stop, match="does not name numpyx"):
        bootstrap.pinned("numpyx")


# system packages


@pytest.fixture
def bare(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A Debian without libpulse0 and libxcb-cursor0."""
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(bootstrap, "loads", lambda name: name not in {"libpulse.so.0", "libxcb-cursor.so.0"})
    monkeypatch.setattr(bootstrap, "has_fonts", lambda _: True)
    return bootstrap


def test_a_user_is_given_the_one_command(bare: ModuleType, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    command = "sudo apt-get install --yes --no-install-recommends libpulse0 libxcb-cursor0"
    with pytest.raises(bare.Stop, match=command):
        bare.install_system_packages("demo")


def test_root_installs_and_updates_the_lists_when_that_fails(bare: ModuleType, monkeypatch) -> None:
    calls = []

    def call(command: list[str], **_: object) -> int:
        calls.append(command[1])
        return 100 if len(calls) == 1 else 0

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(subprocess, "call", call)
    bare.install_system_packages("demo")
    assert calls == ["install", "update", "install"]


def test_without_a_screen_the_screen_libraries_are_only_mentioned(bare: ModuleType, monkeypatch, capsys) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(bare, "loads", lambda name: name != "libxcb-cursor.so.0")
    bare.install_system_packages("test")
    assert "libxcb-cursor0" in capsys.readouterr().out
    with pytest.raises(bare.Stop, match="libxcb-cursor0"):
        bare.install_system_packages("gui")


def test_a_missing_compiler_font_venv_and_header_are_packages_too(bare: ModuleType, monkeypatch) -> None:
    monkeypatch.setattr(bare, "loads", lambda _: True)
    assert bare.missing_packages() == ([], [])
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(bare, "has_fonts", lambda _: False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(bare.sysconfig, "get_path", lambda _: "/nowhere")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    assert bare.missing_packages()[0] == ["fonts-dejavu-core", "g++", "make", f"{version}-venv", f"{version}-dev"]


# steps that were done, failed or were stopped


def test_an_environment_is_ready_only_for_the_same_lock_and_processor(bootstrap: ModuleType, monkeypatch) -> None:
    bootstrap.BIN = bootstrap.VENV
    assert not bootstrap.is_ready("runtime", ["-DA"])
    bootstrap.mark_ready("runtime", ["-DA"])
    assert not bootstrap.is_ready("runtime", ["-DA"])  # the command itself is missing
    (bootstrap.BIN / "wardlight").touch()
    assert bootstrap.is_ready("runtime", ["-DA"])
    assert not bootstrap.is_ready("runtime", ["-DB"])
    assert not bootstrap.is_ready("tools", ["-DA"])
    other = bootstrap.VENV / "lock"
    other.write_text("torch==9\n", encoding="utf-8")
    monkeypatch.setattr(bootstrap, "RUNTIME_LOCK", other)
    assert not bootstrap.is_ready("runtime", ["-DA"])


def test_a_ready_environment_goes_straight_to_the_models(bootstrap: ModuleType, monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(bootstrap, "is_ready", lambda *_: True)
    monkeypatch.setattr(bootstrap, "run", lambda command, _: calls.append(command[1:]))
    bootstrap.prepare("check")
    assert calls == []
    bootstrap.prepare("demo")
    bootstrap.prepare("test")
    bootstrap.prepare("models")
    assert calls == [["models", "install"], ["models", "install"], ["models", "install", "--all"]]


def test_every_target_of_the_makefile_is_known(bootstrap: ModuleType) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\(BOOTSTRAP\) (\w+)", makefile)) == set(bootstrap.TARGETS) - {"setup"}


def test_too_little_space_is_told_before_the_first_download(bootstrap: ModuleType, monkeypatch) -> None:
    bootstrap.VENV.rmdir()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(9e9, 8e9, 1e9))
    with pytest.raises(bootstrap.Stop, match=r"need 4 GB of disk space, and .* has 1\.0 GB free"):
        bootstrap.check_disk()


def test_what_pip_said_last_is_shown_when_it_fails(bootstrap: ModuleType) -> None:
    with pytest.raises(bootstrap.Stop, match=r"'pip download .*goes on from here[\s\S]*No matching distribution"):
        bootstrap.pip("download", "--no-index", "there-is-no-such-package")


def test_compiled_packages_of_other_settings_never_meet(bootstrap: ModuleType) -> None:
    keys = {bootstrap.cache_key(name, {"A": flag}) for name in ("x==1", "x==2") for flag in ("1", "2")}
    assert len(keys) == 4
    assert bootstrap.cache_key("x==1", {"A": "1"}) in keys


def test_a_compiled_package_is_used_again_and_a_stopped_one_leaves_nothing(bootstrap: ModuleType, monkeypatch) -> None:
    calls = []

    def pip(*arguments: str, settings: dict[str, str] | None = None) -> None:
        calls.append(arguments[0])
        if arguments[0] == "wheel":
            (Path(arguments[arguments.index("--wheel-dir") + 1]) / "hnswlib.whl").touch()
            if len(calls) == 1:
                raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "pip", pip)
    with pytest.raises(KeyboardInterrupt):
        bootstrap.install_compiled("hnswlib", {"HNSWLIB_NO_NATIVE": "1"})
    assert list(bootstrap.wheel_cache().iterdir()) == []
    bootstrap.install_compiled("hnswlib", {"HNSWLIB_NO_NATIVE": "1"})
    bootstrap.install_compiled("hnswlib", {"HNSWLIB_NO_NATIVE": "1"})
    assert calls == ["wheel", "wheel", "install", "install"]


def test_ctrl_c_ends_the_running_step_and_says_how_to_go_on(bootstrap: ModuleType, monkeypatch, capsys) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(popen([sys.executable, "-c", "import time; time.sleep(60)"]))
        monkeypatch.setattr(started[0], "wait", _once(interrupt, started[0].wait))
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(bootstrap, "prepare", lambda _: bootstrap.pip("install", "x"))
    assert bootstrap.main(["setup"]) == 130
    assert started[0].poll() is not None
    assert "Run the same command again" in capsys.readouterr().err


def test_a_long_step_says_that_it_still_works(bootstrap: ModuleType, monkeypatch, capsys) -> None:
    monkeypatch.setattr(bootstrap, "HEARTBEAT_SECONDS", 0.05)
    with (bootstrap.VENV / "log").open("wb") as log:
        code = bootstrap.patiently([sys.executable, "-c", "import time; time.sleep(0.3)"], dict(os.environ), log)
    assert code == 0
    assert "still working: 0 min 00 s" in capsys.readouterr().out


def _once(first, then):
    """A function that is `first` for its first call and `then` afterwards."""
    called = threading.Event()

    def either(*arguments):
        if called.is_set():
            return then(*arguments)
        called.set()
        return first(*arguments)

    return either
