"""Codes of LOINC for the rows of a contract: proposed from a table, taken only from the export or a person."""
