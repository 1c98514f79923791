"""What is shipped beside the code: schemas, words, prompts, learned models, the sample dictation, icons, styles,
the typeface, the user guide."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
DEMONSTRATION_SCHEMA = FOLDER / "schemas" / "medsurg_icu.json"
USER_GUIDE = FOLDER / "user-guide.md"
SAMPLE_DICTATION = FOLDER / "dictation" / "sample.flac"
