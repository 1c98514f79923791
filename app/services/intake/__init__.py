"""Intake of dictations: files, recordings, live filling, and whose they are."""
