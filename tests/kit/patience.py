"""How long a test waits for what must happen: longer than the busiest machine needs, so that only a hang takes it."""

from __future__ import annotations

PATIENCE_SECONDS = 120.0
PATIENCE_MS = round(1000 * PATIENCE_SECONDS)
