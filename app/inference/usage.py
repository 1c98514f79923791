"""Resources used by work: seconds, tokens, devices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Given = TypeVar("Given")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """A result of the inference process with the resources used.

    Attributes:
        load_seconds: time spent loading models.
        devices: by role, the device on which its model ran.
        seconds: by stage, if there were several.
    """

    value: Result
    load_seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    devices: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Took:
    """Totals of seconds by stage (`load` is the part of the others spent loading models), tokens and devices."""

    seconds: dict[str, float] = field(default_factory=lambda: {"load": 0.0})
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    devices: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time inside the `with` block to a stage."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start

    def timed(self, name: str, function: Callable[[Given], Result]) -> Callable[[Given], Result]:
        """Wraps a function so that its time is added to a stage."""
        self.seconds.setdefault(name, 0.0)

        def run(given: Given) -> Result:
            with self.stage(name):
                return function(given)

        return run

    def step(self, name: str, function: Callable[[Given], Outcome[Result]]) -> Callable[[Given], Result]:
        """As `timed`, for a function with an outcome: adds its usage, too, and returns its value."""
        return self.timed(name, lambda given: self.of(function(given)))

    def of(self, outcome: Outcome[Result]) -> Result:
        """Adds the usage of an outcome to the totals and returns its value."""
        self.seconds["load"] += outcome.load_seconds
        for stage, seconds in outcome.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        self.tokens["prompt"] += outcome.prompt_tokens
        self.tokens["completion"] += outcome.completion_tokens
        self.devices |= outcome.devices
        return outcome.value

    def outcome(self, value: Result) -> Outcome[Result]:
        """A result with the totals."""
        seconds = {stage: seconds for stage, seconds in self.seconds.items() if stage != "load"}
        prompt, completion = self.tokens["prompt"], self.tokens["completion"]
        return Outcome(value, self.seconds["load"], prompt, completion, dict(self.devices), seconds)
