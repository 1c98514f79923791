"""Deterministic rules after the models, in the order of `engine.RULES`.

A rule receives the prepared transcript and the proposals and yields changes (replace, promote, hold back, add, flag);
the engine applies and signs them. Rules do not import each other. May import `filling`, `preparation` and anything
below them; never `confidence`. To add a rule, write a module here, an entry in RULES and its findings in
`extraction/flowsheet/findings.py`.
"""
