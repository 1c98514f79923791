"""Filling strategies: the LLM reads values of candidate rows, and readings become proposals.

May import `retrieval` and what is below it. A new strategy is a `Filler` of `task.py`.
"""
