"""Annotated cases: their files, their items, and how predictions are compared with them.

May import `contract` and anything below it.
"""
