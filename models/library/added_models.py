"""Models that a hospital added to those of the manifest: a language model (GGUF) or a Whisper model (CTranslate2).

They are listed in `added.toml` beside the weights, in the manifest's format. The id of each ends in the first digits of
its checksum, so that nothing learned with a model is ever used with another one of the same name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomli_w

from models.base.atomic_files import disk, replace_file
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor
from models.errors import ModelFileError
from models.library.manifest import FORMAT, Manifest, ModelEntry, ModelFile, load_manifest, parse_models
from models.library.registry import Registry
from models.library.sources import sha256_of

_LIST = "added.toml"
_DIGITS = 8  # of the checksum, in an id
_ENDINGS = re.compile(r"[^a-z0-9.]+")
# What faster-whisper reads of a folder; the vocabulary has either ending.
_WHISPER = (
    "model.bin",
    "config.json",
    "vocabulary.json",
    "vocabulary.txt",
    "tokenizer.json",
    "preprocessor_config.json",
)
_WHISPER_NEEDS = ("model.bin", "config.json", "tokenizer.json")
_WHISPER_SPEC = b"WhisperSpec"  # stands in the first bytes of `model.bin`
_WHISPER_TOKENS = 448
_HEAD = 64  # bytes
_MAGIC = b"GGUF"
_UNSTATED = "not stated"


def open_registry(root: Path) -> Registry:
    """The registry of the shipped manifest and of the models added below `root`.

    Raises ModelFileError if the list of added models cannot be used.
    """
    return Registry(Manifest((*load_manifest().models, *added_models(root))), root)


def added_models(root: Path) -> tuple[ModelEntry, ...]:
    """The models added below `root`. Raises ModelFileError if their list cannot be used."""
    path = root / _LIST
    try:
        text = path.read_text(encoding="utf-8")
        return parse_models(text)
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError, ModelFileError) as error:
        what = error.what if isinstance(error, ModelFileError) else str(error)
        raise ModelFileError(
            f"The list of added models {path} cannot be used. {what}",
            "Delete it, and add the models again: wardlight models add --from FOLDER.",
        ) from error


def list_model(root: Path, entry: ModelEntry) -> None:
    """Adds a model to the list. Raises ResourceError if it cannot be written."""
    _write(root, [*(one for one in added_models(root) if one.id != entry.id), entry])


def unlist_model(root: Path, model: str) -> bool:
    """Removes a model from the list; False if it is not there. Raises ResourceError if it cannot be written."""
    listed = added_models(root)
    kept = [one for one in listed if one.id != model]
    if len(kept) < len(listed):
        _write(root, kept)
    return len(kept) < len(listed)


def is_whisper(source: Path) -> bool:
    """Whether a folder holds a Whisper model for CTranslate2."""
    weights = source / "model.bin"
    return weights.is_file() and _WHISPER_SPEC in _head(weights)


def gguf_in(source: Path) -> Path:
    """The GGUF file that is given, or the only one of the folder that is given.

    Raises InputError if there is none, several, or a part of one.
    """
    found = [source] if source.is_file() else sorted(source.glob("*.gguf"))
    if not found:
        raise InputError(
            f"{source} does not contain a model.",
            "Name a GGUF file, or a folder with model.bin, config.json and tokenizer.json (Whisper for CTranslate2).",
        )
    if len(found) > 1:
        raise InputError(
            f"{source} holds several models: {', '.join(path.name for path in found)}.",
            "Choose the file of one of them.",
        )
    if _head(found[0])[: len(_MAGIC)] != _MAGIC:
        raise InputError(f"{found[0].name} is not a GGUF file.", "Choose a language model in the format of llama.cpp.")
    if re.search(r"-\d{5}-of-\d{5}\.gguf$", found[0].name):
        raise InputError(
            f"{found[0].name} is one part of a model.", "Join the parts with llama.cpp: llama-gguf-split --merge."
        )
    return found[0]


def whisper_entry(folder: Path, title: str, licence: str, monitor: ProgressMonitor) -> ModelEntry:
    """The entry of the Whisper model in a folder; reads all of its files.

    Raises InputError if a file is missing.
    """
    missing = [name for name in _WHISPER_NEEDS if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"{folder} has no {' and no '.join(missing)}.",
            "Copy the whole folder of the model, converted for CTranslate2.",
        )
    files = [folder / name for name in _WHISPER if (folder / name).is_file()]
    title = title or folder.resolve().name
    return _entry("speech", title, licence, _WHISPER_TOKENS, files, monitor)


def gguf_entry(file: Path, title: str, licence: str, context_tokens: int, monitor: ProgressMonitor) -> ModelEntry:
    """The entry of a GGUF file; reads all of it."""
    return _entry("filler", title or file.stem, licence, context_tokens, [file], monitor)


def _entry(
    role: str, title: str, licence: str, context_tokens: int, files: Sequence[Path], monitor: ProgressMonitor
) -> ModelEntry:
    whole, done, kept = sum(path.stat().st_size for path in files), 0, []
    for path in files:

        def report(read: int, before: int = done) -> None:
            monitor.report(Progress("install", (before + read) / max(whole, 1), f"Reading {title}"))

        size = path.stat().st_size
        kept.append(ModelFile(path.name, size, sha256_of(path, report, monitor.cancelled)))
        done += size
    digest = hashlib.sha256("".join(file.sha256 for file in kept).encode()).hexdigest()
    name = _ENDINGS.sub("-", title.lower()).strip("-.") or role
    return ModelEntry(
        id=f"{name}-{digest[:_DIGITS]}",
        role=role,
        title=title,
        licence=licence or _UNSTATED,
        context_tokens=context_tokens,
        default=False,
        files=tuple(kept),
    )


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}.", "Check its permissions, and the drive."
        ) from error


def _write(root: Path, entries: Sequence[ModelEntry]) -> None:
    content = tomli_w.dumps({"format": FORMAT, "model": [_table(one) for one in entries]})
    with disk(root / _LIST):
        root.mkdir(parents=True, exist_ok=True)
        if entries:
            replace_file(root / _LIST, content.encode())
        else:
            (root / _LIST).unlink(missing_ok=True)  # a manifest without models is refused


def _table(entry: ModelEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "role": entry.role,
        "title": entry.title,
        "licence": entry.licence,
        "context_tokens": entry.context_tokens,
        "default": False,
        "files": [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in entry.files],
    }
