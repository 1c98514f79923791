"""Finds patients by name, and imports the ward's list of patients from another system."""
