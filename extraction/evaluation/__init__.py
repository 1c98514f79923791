"""Baselines for comparison with the product: schema reductions from the papers, and worked examples."""
