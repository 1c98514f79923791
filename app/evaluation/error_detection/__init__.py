"""How well wrong values are found, by several methods (ReDD, sections 3.3 to 4.2, 6.2)."""
