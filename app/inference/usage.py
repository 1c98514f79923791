"""Resources used by work: seconds, tokens, devices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """A result of the inference process with the resources used.

    Attributes:
        load_seconds: time spent loading models.
        devices: by role, the device on which its model ran.
        seconds: by stage, without `load_seconds`.
    """

    value: Result
    load_seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    devices: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class UsageTotals:
    """Totals of seconds by stage (`load` is loading models, which the others do not contain), tokens and devices."""

    seconds: dict[str, float] = field(default_factory=lambda: {"load": 0.0})
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    devices: dict[str, str] = field(default_factory=dict)

    def of(self, outcome: Outcome[Result]) -> Result:
        """Adds the usage of an outcome to the totals and returns its value."""
        self.seconds["load"] += outcome.load_seconds
        for stage, seconds in outcome.seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        self.tokens["prompt"] += outcome.prompt_tokens
        self.tokens["completion"] += outcome.completion_tokens
        self.devices |= outcome.devices
        return outcome.value
