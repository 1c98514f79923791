"""How likely a reading is right: its features, the learned models, and what these are valid for.

May import `rules.changes` for the precision of rules, and anything below.
"""
