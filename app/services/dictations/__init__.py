"""Dictations as a whole: the list of all, patient, time, title, deletion, and whose they are."""
