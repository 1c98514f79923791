"""What is charted: schema, rows, values and their checks, units, ranges, formulas, findings.

May import `language`. A new value type begins in `schema.py` and `validation.py`.
"""
