"""What dictations say that has no row, and what a person decides about it."""
