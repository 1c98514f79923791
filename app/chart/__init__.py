"""The patient's chart as values and pure functions: records, cells, conflicts, trends, computed rows, lights, and the
identity of dictations. No database, no jobs.
"""
