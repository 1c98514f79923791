"""Which models there are, which are installed, and where they come from."""
