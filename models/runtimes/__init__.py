"""Models in memory and their operations. Only the inference process loads them."""
