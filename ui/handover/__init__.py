"""Handovers and the nurse's note: looked at, written to, printed, copied."""
