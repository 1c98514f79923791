"""What learned models are bound to, for tests that fit some."""

from __future__ import annotations

from extraction.confidence.binding import Binding, ReadingMethod

BINDING = Binding.of("filler", "embedder", ReadingMethod())
