"""The side bar: patients and their dictations."""
