"""Widgets, themes, words and keys that every room uses."""
