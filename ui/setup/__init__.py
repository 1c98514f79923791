"""The first-run assistant."""
