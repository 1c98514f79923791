"""Dialogs. They only collect an answer; the caller acts on it."""
