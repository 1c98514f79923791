"""Models in memory, and what can be asked of them. Only the inference process loads them."""
