"""Commands that measure, learn and calibrate."""
