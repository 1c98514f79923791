"""How likely a reading is right: its features, the learned models, and what these are valid for.

May import `filling` and anything below; never `rules`.
"""
