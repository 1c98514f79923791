"""Prepares everything that Wardlight needs on this computer: `python3 packaging/bootstrap.py TARGET`.

Runs before anything is installed, so it uses the standard library alone. Each step first checks whether its work is
done; a stopped run continues where it was. Make and the installers share this file.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from models.gpu import Gpu

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
RUNTIME_LOCK = ROOT / "packaging" / "requirements.txt"
DEV_LOCK = ROOT / "packaging" / "requirements-dev.txt"
CUDA_LOCK = ROOT / "packaging" / "requirements-cuda.txt"

# For each target the arguments of `wardlight models install` (None: no models), and whether it needs the test tools.
TARGETS: dict[str, tuple[list[str] | None, bool]] = {
    "setup": (None, False),
    "demo": ([], False),
    "gui": ([], False),
    "check": (None, True),
    "screens": (None, True),
    "test": ([], True),
    "models": (["--all"], True),
    "bench": (["--all"], True),
}
SUPPORTED = ((3, 11), (3, 12))
DISK_BYTES = 4_000_000_000
HEARTBEAT_SECONDS = 15
NVCC_FOLDER = "/usr/local/cuda/bin"  # where the CUDA toolkit installs its compiler, often outside the PATH

# Library -> Debian package. PySide6 loads the first group to draw and play anything at all, even without a screen.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrandr.so.2": "libxrandr2",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libpulse.so.0": "libpulse0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
SCREEN_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


class Stop(Exception):
    """A step cannot be done; the text says what the person can do about it."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prepares this computer for Wardlight.")
    parser.add_argument("target", nargs="?", default="setup", choices=sorted(TARGETS))
    target = parser.parse_args(arguments).target
    try:
        use_supported_python(sys.version_info[:2])
        prepare(target)
    except Stop as error:
        print(f"\nWardlight cannot be set up yet. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to continue from here.", file=sys.stderr)
        return 130
    return 0


def use_supported_python(version: tuple[int, ...]) -> None:
    """Goes on under a supported Python when this one is not."""
    if version in SUPPORTED:
        return
    for major, minor in SUPPORTED:
        other = shutil.which(f"python{major}.{minor}")
        if other and python_version(other) == (major, minor):
            os.execv(other, [other, *sys.argv])  # noqa: S606 - a program of the user's own PATH
    raise Stop(
        f"It needs Python 3.11 or 3.12, and this is {version[0]}.{version[1]}. Install Python 3.11, or name another "
        "Python with: make PYTHON=/path/to/python3.11"
    )


def prepare(target: str) -> None:
    models, tools = TARGETS[target]
    flags = cmake_flags()
    if is_ready("runtime", flags):
        say("Ready: Wardlight's environment is up to date.")
    else:
        install_runtime(target, flags)
        mark_ready("runtime", flags)
    if tools and not is_ready("tools", flags):
        say("Installing the tools for tests")
        pip("install", "--requirement", str(DEV_LOCK))
        mark_ready("tools", flags)
    if models is not None:
        run([str(BIN / "wardlight"), "models", "install", *models], "The models could not be installed; see above.")


def install_runtime(target: str, flags: list[str]) -> None:
    """Every step from system libraries to the `wardlight` command."""
    check_disk()
    say("1 of 6  Looking for a compiler and system libraries")
    install_system_packages(target)
    say("2 of 6  Creating the Python environment in .venv")
    create_venv()
    say("3 of 6  Installing torch")
    # First and alone: asked for by another package, pip would choose a build with gigabytes of GPU libraries.
    pip("install", pinned("torch"))
    say("4 of 6  Installing llama-cpp-python, compiled for this processor (about 5 minutes the first time)")
    install_llama(flags)
    # Compiled for this very processor by default, it would crash on another one that shares the cache.
    install_compiled("hnswlib", {"HNSWLIB_NO_NATIVE": "1"})
    say("5 of 6  Installing the other packages")
    pip("install", "--requirement", str(RUNTIME_LOCK))
    if "-DGGML_CUDA=ON" in flags:
        say("        and NVIDIA's library for speech recognition on the graphics card (600 MB)")
        pip("install", "--no-deps", "--requirement", str(CUDA_LOCK))
    say("6 of 6  Installing Wardlight")
    pip("install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def install_llama(flags: list[str]) -> None:
    try:
        install_compiled("llama-cpp-python", {"CMAKE_ARGS": shlex.join(flags)})
    except Stop as error:
        if "-DGGML_CUDA=ON" not in flags:
            raise
        raise Stop(
            f"{error}\n\nOr leave the graphics card alone: run the same command with WARDLIGHT_CUDA=0."
        ) from error


# what was done before


def fingerprint(flags: list[str]) -> str:
    """Changes whenever an environment made before may no longer fit."""
    digest = hashlib.sha256()
    for path in (RUNTIME_LOCK, DEV_LOCK, CUDA_LOCK, ROOT / "pyproject.toml", Path(__file__)):
        digest.update(path.read_bytes())
    digest.update(repr((str(ROOT), sys.version_info[:2], sys.platform, platform.machine(), flags)).encode())
    return digest.hexdigest()


def is_ready(part: str, flags: list[str]) -> bool:
    stamp = VENV / f".wardlight-{part}"
    installed = (BIN / ("wardlight.exe" if os.name == "nt" else "wardlight")).exists()
    return installed and stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint(flags)


def mark_ready(part: str, flags: list[str]) -> None:
    (VENV / f".wardlight-{part}").write_text(fingerprint(flags), encoding="ascii")


# the system


def check_disk() -> None:
    free = shutil.disk_usage(ROOT).free
    if not VENV.exists() and free < DISK_BYTES:
        raise Stop(
            f"Its packages need {DISK_BYTES / 1e9:.0f} GB of disk space, and {ROOT} has {free / 1e9:.1f} GB free."
        )


def install_system_packages(target: str) -> None:
    """Installs missing system packages if that is allowed here, otherwise names the one command that does."""
    if platform.system() != "Linux":
        return
    needed, wanted = missing_packages()
    if not (needed or wanted):
        return
    apt = shutil.which("apt-get")
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *needed, *wanted]
    if apt and os.geteuid() == 0:
        print("    " + shlex.join(command), flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if subprocess.call(command, env=environment) != 0:
            subprocess.call([apt, "update"], env=environment)
            run(command, "The system packages could not be installed; see above.", environment)
        return
    how = "sudo " + shlex.join(command) if apt else "the packages of your system that match these Debian packages: "
    how += "" if apt else " ".join([*needed, *wanted])
    if needed or target == "gui":
        raise Stop(f"Parts of the system are missing. Install them, then run the same command again:\n\n    {how}\n")
    say(f"To open the window on a screen, also install:\n    {how}")


def missing_packages() -> tuple[list[str], list[str]]:
    """Debian packages without which nothing runs, and those that only a window on a screen needs."""
    needed = [package for library, package in QT_LIBRARIES.items() if not loads(library)]
    wanted = [package for library, package in SCREEN_LIBRARIES.items() if not loads(library)]
    if not any(has_fonts(Path(folder).expanduser()) for folder in FONT_FOLDERS):
        needed.append(FONT_PACKAGE)
    needed += [tool for tool in ("g++", "make") if not shutil.which(tool)]
    version = "python{}.{}".format(*sys.version_info[:2])
    if importlib.util.find_spec("ensurepip") is None:
        needed.append(f"{version}-venv")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        needed.append(f"{version}-dev")
    return needed, wanted


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_fonts(folder: Path) -> bool:
    return any(path.suffix.lower() in {".ttf", ".otf", ".ttc"} for path in folder.rglob("*"))


# Python packages


def create_venv() -> None:
    """Creates `.venv`, again if its Python is gone or has another version."""
    if python_version(str(BIN / "python"), "pip") != sys.version_info[:2]:
        run(
            [sys.executable, "-m", "venv", "--clear", str(VENV)],
            "The Python environment could not be created; see above.",
        )


def python_version(program: str, module: str = "sys") -> tuple[int, ...]:
    """The version of a Python that has `module`; empty when it does not run (a launcher without its Python)."""
    command = [program, "-c", f"import sys, {module}; print(*sys.version_info[:2])"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ()
    return tuple(int(number) for number in answer.stdout.split()) if answer.returncode == 0 else ()


def pinned(package: str) -> str:
    """The requirement line of a package in the lock file."""
    found = re.search(rf"^{re.escape(package)}==\S+", RUNTIME_LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise Stop(f"{RUNTIME_LOCK} does not name {package}. Get the whole of Wardlight again.")
    return found.group()


def install_compiled(package: str, settings: dict[str, str]) -> None:
    """Installs a package that is compiled here, from the user's cache when the same was compiled before."""
    folder = wheel_cache() / cache_key(pinned(package), settings)
    if not list(folder.glob("*.whl")):
        compile_wheel(pinned(package), settings, folder)
    wheel = next(folder.glob("*.whl"))
    pip("install", "--no-deps", "--force-reinstall", str(wheel))


def compile_wheel(requirement: str, settings: dict[str, str], folder: Path) -> None:
    """Compiles a source package into `folder`, which appears complete or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    settings = {**settings, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1)}
    with tempfile.TemporaryDirectory(prefix=".compiling-", dir=folder.parent) as scratch:
        # pip's own cache could hold a wheel that was compiled with other settings.
        pip("wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", scratch, requirement, settings=settings)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for wheel in Path(scratch).glob("*.whl"):
            wheel.replace(folder / wheel.name)


def cache_key(requirement: str, settings: dict[str, str]) -> str:
    """Wheels compiled with other settings, for another Python or another system never meet."""
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}-{sys.platform}-{platform.machine()}"
    return f"{requirement}-{tag}-{hashlib.sha256(repr(sorted(settings.items())).encode()).hexdigest()[:12]}"


def wheel_cache() -> Path:
    chosen = os.environ.get("WARDLIGHT_CACHE")
    if chosen:
        return Path(chosen) / "wheels"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "wardlight" / "Cache"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches" / "wardlight"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wardlight"
    return base / "wheels"


# llama.cpp for this processor


def cmake_flags() -> list[str]:
    """Build settings that this processor is sure to run."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from models.hardware import detect

    hardware = detect()
    flags = ["-DLLAVA_BUILD=OFF"]  # images are never read
    if platform.machine().lower() in {"x86_64", "amd64"}:
        flags += x86_flags(hardware.cpu_flags)
    return flags + cuda_flags(hardware.gpu)


def cuda_flags(gpu: Gpu | None) -> list[str]:
    """Build settings for the graphics card of this computer; none without one, or without NVIDIA's compiler.

    WARDLIGHT_CUDA=0 leaves the card alone, and WARDLIGHT_CUDA=1 stops where it cannot be used.
    """
    choice = os.environ.get("WARDLIGHT_CUDA", "")
    compiler = shutil.which("nvcc") or shutil.which("nvcc", path=NVCC_FOLDER)
    if choice == "0" or not (gpu and compiler):
        if choice == "1":
            raise Stop(
                "WARDLIGHT_CUDA=1 needs an NVIDIA graphics card with its driver, and the CUDA toolkit (nvcc). Install "
                "them, or run the same command without WARDLIGHT_CUDA."
            )
        return []
    architecture = gpu.compute_capability.replace(".", "")
    return ["-DGGML_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={compiler}", f"-DCMAKE_CUDA_ARCHITECTURES={architecture}"]


def x86_flags(has: frozenset[str]) -> list[str]:
    """Each instruction set on or off by name; where the system does not list them, those of every PC since 2013.

    Never GGML_NATIVE: on virtual machines that announce AMX, code compiled so crashes at its first matrix.
    """
    has = has or frozenset({"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2"})
    avx512 = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"} <= has
    switches = {
        "NATIVE": False,
        "SSE42": "sse4_2" in has,
        "AVX": "avx" in has,
        "AVX2": "avx2" in has,
        "FMA": "fma" in has,
        "F16C": "f16c" in has,
        "BMI2": "bmi2" in has,
        "AVX512": avx512,
        "AVX512_VBMI": avx512 and "avx512vbmi" in has,
        "AVX512_VNNI": avx512 and "avx512_vnni" in has,
        "AMX_TILE": False,
        "AMX_INT8": False,
        "AMX_BF16": False,
    }
    return [f"-DGGML_{name}={'ON' if on else 'OFF'}" for name, on in switches.items()]


# running things


def say(text: str) -> None:
    print(text, flush=True)


def pip(*arguments: str, settings: dict[str, str] | None = None) -> None:
    """Runs the environment's pip, saying from time to time that it still works; its own words go to a log.

    Raises:
        Stop: pip failed; the text holds the end of the log.
    """
    command = [str(BIN / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    # A jobserver of the make that called us is not for the make that compiles.
    environment = {
        name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    }
    log = VENV / "setup.log"
    with log.open("wb") as output:
        code = patiently(command, {**environment, **(settings or {})}, output)
    if code != 0:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-25:])
        raise Stop(
            f"'pip {shlex.join(arguments)}' failed. Check the network and the free disk space, then run the same "
            f"command again; it goes on from here. The end of {log}:\n\n{tail}"
        )


def patiently(command: list[str], environment: dict[str, str], output: IO[bytes]) -> int:
    began = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    try:
        while True:
            try:
                return process.wait(HEARTBEAT_SECONDS)
            except subprocess.TimeoutExpired:
                minutes, seconds = divmod(int(time.monotonic() - began), 60)
                say(f"        still working: {minutes} min {seconds:02} s")
    finally:
        process.terminate()
        process.wait()


def run(command: list[str], failure: str, environment: dict[str, str] | None = None) -> None:
    if subprocess.call(command, env=environment, stdin=subprocess.DEVNULL) != 0:
        raise Stop(failure)


if __name__ == "__main__":
    sys.exit(main())
