"""Deterministic rules after the models, in the phases of `engine.Phase`.

A rule receives the task or the prepared transcript, and the proposals, and yields changes (replace, promote, hold back,
add, flag); the engine applies and signs them. Evidence points into the transcript; a rule that needs a sentence as the
models read it asks `extraction.filling.evidence.SaidIn`. Rules do not import each other. May import `filling`,
`preparation` and anything below them; never `confidence`. To add a rule, write a module here, an entry in RULES and its
findings in `extraction/flowsheet/findings.py`.
"""
