"""Dialogs. They ask and answer; who opened them acts on the answer."""
