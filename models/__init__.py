"""Model weights and runtimes. Knows no schema and no transcript.

Rooms: `library` (manifest, registry, sources), `runtimes` (Whisper, LLM, embedder), `process` (the inference process).
"""
