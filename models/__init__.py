"""Model weights and runtimes. Independent of schemas and transcripts.

Rooms: `library` (manifest, registry, sources), `runtimes` (Whisper, LLM, embedder), `process` (the inference process).
Below them, what every package uses: errors, progress, hardware, sounds of words, files that are written whole.
Importing this package keeps the libraries offline, see `models.offline`.
"""

from models.offline import stay_offline

stay_offline()
