"""Patients: added, changed, found by name, typed or said in a dictation, and imported from another system."""
