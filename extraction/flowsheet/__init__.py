"""What is charted: schema, rows, values and their checks, units, ranges, formulas, findings.

May import `language`. To add a value type, start in `schema.py` and `validation.py`.
"""
