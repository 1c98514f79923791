"""Deterministic rules after the models, in the order of `engine.RULES`.

A rule gets the prepared transcript and the proposals and yields changes (replace, promote, suppress, add, flag); the
engine applies and signs them. Rules do not import each other. May import `filling`, `preparation` and what is below;
never `confidence`. A new rule is a module here, an entry in RULES and its findings in
`extraction/flowsheet/findings.py`.
"""
