"""What learned models are bound to, for tests that fit some."""

from __future__ import annotations

from extraction.confidence.binding import Binding

BINDING = Binding.of("filler", "embedder")
