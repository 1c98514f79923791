"""Hands the messages of the outbox to the receiver, each once and in order, and shows what became of them."""
