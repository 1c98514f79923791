"""The rows that an import gives: in use, left out, and alike."""
