"""What the caches of a process hold of a text."""

from __future__ import annotations

import gc
import re
from functools import _lru_cache_wrapper, cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from extraction.language.analysis import analyse
from extraction.language.vocabulary.words import stems
from models.base.progress import ProgressMonitor
from models.runtimes.loaded import Runtimes

_CODE = (BuiltinFunctionType, FunctionType, MethodType, ModuleType, type)


def caches_with(words: str) -> set[str]:
    """Names of the cached functions of this process that keep a text with these words, or something made of it."""
    gc.unfreeze()  # what the program exempted from garbage collection is not listed
    # not isinstance: it would look into lazy objects of other libraries
    caches = [one for one in gc.get_objects() if type(one) is _lru_cache_wrapper]
    return {one.__qualname__ for one in caches if _holds(one, words)}


def _holds(kept: _lru_cache_wrapper[Any], words: str) -> bool:
    seen, waiting = {id(kept)}, [kept]
    while waiting:
        for one in gc.get_referents(waiting.pop()):
            text = one.pattern if isinstance(one, re.Pattern) else one
            if isinstance(text, str):
                if words.lower() in text.lower():
                    return True
            elif id(one) not in seen and not isinstance(one, (*_CODE, _lru_cache_wrapper)):
                seen.add(id(one))
                waiting.append(one)
    return False


@cache
def remember(text: str) -> str:
    """A cache that nobody empties."""
    return text


# Tasks for the worker process: module-level, so that they travel by name.


def analysed(runtimes: Runtimes, *, text: str, monitor: ProgressMonitor) -> int:
    return len(analyse(text).sentences) + len(stems(text))


def caches_of_process(runtimes: Runtimes, *, words: str, monitor: ProgressMonitor) -> set[str]:
    return caches_with(words)
