"""Figures of one measure and one patient: numbers in one unit, their arithmetic, and their bounds."""
