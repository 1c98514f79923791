"""Measures how well several methods find wrong values (ReDD, sections 3.3 to 4.2, 6.2)."""
