"""Imports from a record system: exports are read, questions answered, and the schema made of them is used."""
