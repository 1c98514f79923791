"""Finds patients by name, typed or said in a dictation, and imports the ward's list of patients from another system."""
