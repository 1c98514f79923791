"""What was observed of a patient over time: fluid balances of shifts, and curves."""
