"""The chart of a patient: its grid, the fluid balance of the shifts, and the curves of numbers."""
