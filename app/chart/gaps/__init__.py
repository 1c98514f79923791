"""What a dictation lacks before it is filed: rows that are required, said, charted before, or usual on the ward."""
