"""Recording to transcript: decoding, recording to disk, transcription, live transcription."""
