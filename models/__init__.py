"""Model weights and runtimes. Independent of schemas and transcripts.

Rooms: `base` (what every package uses), `library` (manifest, registry, sources), `runtimes` (Whisper, LLM, embedder),
`process` (the inference process).
Importing this package keeps the libraries offline, see `models.base.offline`.
"""

from models.base.offline import stay_offline

stay_offline()
