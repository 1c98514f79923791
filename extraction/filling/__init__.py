"""Filling: the LLM reads values for candidate rows, and readings become proposals.

May import `retrieval` and anything below it.
"""
