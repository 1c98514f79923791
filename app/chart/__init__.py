"""The patient's chart as values and pure functions: records, cells, conflicts, trends, computed rows, highlighting,
whose dictation it is. No database, no jobs.
"""
