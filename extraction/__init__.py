"""Transcript to proposed values. Start with `extractor.py`, the one chain of steps.

Rooms, bottom up: `language` and `estimators`; `flowsheet`; `preparation`, `contract` and `annotation`;
`retrieval`; `filling`; `rules`, `confidence` and `evaluation`; `learning`. A room imports only rooms before it.
"""
