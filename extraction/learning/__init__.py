"""Fits the learned models on annotated cases. The only room that may import everything in `extraction`."""
