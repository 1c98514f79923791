"""The page of a dictation: transcript, evidence, progress, live preview."""
