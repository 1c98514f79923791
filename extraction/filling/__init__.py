"""Filling strategies: the LLM reads values for candidate rows, and readings become proposals.

May import `retrieval` and anything below it. A new strategy implements `Filler` of `task.py`.
"""
