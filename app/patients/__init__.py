"""Patients found by name, and the ward's list of patients from another system."""
