"""Model weights and runtimes. Independent of schemas and transcripts.

Rooms: `library` (manifest, registry, sources), `runtimes` (Whisper, LLM, embedder), `process` (the inference process).
"""
