"""What the product is compared with: the schema reductions of the papers, and worked examples."""
