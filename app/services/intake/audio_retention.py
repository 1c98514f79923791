"""Deletes audio that the settings no longer keep, and deleted dictations for good.

A dictation that is not filled yet always keeps its audio.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.chart.records import ReviewStatus
from app.services.intake.jobs import DELETED_DAYS
from app.system.settings import Settings

if TYPE_CHECKING:
    from app.store import Store  # imports numpy, which the window does not need to start


def delete_expired(store: Store, settings: Settings, now: datetime, *, shown: int | None = None) -> list[int]:
    """Removes recordings that the settings no longer keep, and dictations deleted more than DELETED_DAYS ago.

    Args:
        shown: the dictation on the screen; it can still be reopened, so a recording that is kept until `review` is
            filed stays until the dictation is left.

    Returns the ids of the dictations. Raises ResourceError if a recording cannot be removed.
    """
    filed = store.filings.filed()
    removed = store.dictations.purge_deleted(now - timedelta(days=DELETED_DAYS))
    for dictation in store.dictations.newest():
        if dictation.kind != "audio" or dictation.status != "filled" or not dictation.path.exists():
            continue
        match settings.keep_audio:
            case "never":
                over = True
            case "review":
                over = dictation.id != shown and dictation.id in filed and _reviewed(store, dictation.id)
            case _:
                over = now - datetime.fromisoformat(dictation.created_at) > timedelta(days=settings.keep_audio_days)
        if over:
            store.dictations.remove_audio(dictation.id)
            removed.append(dictation.id)
    return removed


def _reviewed(store: Store, dictation_id: int) -> bool:
    """Whether there are values and all of them are decided."""
    counts = store.values.summary(dictation_id)
    return counts[ReviewStatus.PROPOSED] == 0 and sum(counts.values()) > 0
