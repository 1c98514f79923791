"""How long the sound of dictations, and what is deleted, is kept.

A dictation whose values are still to come always keeps its sound.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.chart.records import ReviewStatus
from app.system.settings import Settings

if TYPE_CHECKING:
    from app.store import Store  # brings numpy, without which the window starts

DELETED_DAYS = 7  # so long a deleted dictation can be restored


def delete_expired(store: Store, settings: Settings, now: datetime, *, shown: int | None = None) -> list[int]:
    """Removes the recordings that the settings no longer allow to keep, and what was deleted some days ago; the
    dictations' ids.

    Args:
        shown: a dictation that somebody looks at; a review of it that is complete can still be undone, so that its
            recording stays until it is left.

    Raises ResourceError for a recording that cannot be removed.
    """
    removed = store.dictations.purge_deleted(now - timedelta(days=DELETED_DAYS))
    for dictation in store.dictations.newest():
        if dictation.kind != "audio" or dictation.status != "filled" or not dictation.path.exists():
            continue
        match settings.keep_audio:
            case "never":
                over = True
            case "review":
                over = dictation.id != shown and _reviewed(store, dictation.id)
            case _:
                over = now - datetime.fromisoformat(dictation.created_at) > timedelta(days=settings.keep_audio_days)
        if over:
            store.dictations.remove_audio(dictation.id)
            removed.append(dictation.id)
    return removed


def _reviewed(store: Store, dictation_id: int) -> bool:
    """Whether somebody has decided about every value, and about one at least."""
    counts = store.values.summary(dictation_id)
    return counts[ReviewStatus.PROPOSED] == 0 and sum(counts.values()) > 0
