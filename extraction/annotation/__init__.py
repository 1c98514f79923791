"""Annotated cases: their files, the items in them, and how predictions are compared with them.

May import `contract` and what is below it.
"""
