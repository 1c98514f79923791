"""Fits the learned models to annotated cases. The only room that may import everything in `extraction`."""
