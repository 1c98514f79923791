"""How dictations come in: files, recordings, live filling, and whose they are."""
