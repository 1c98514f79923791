"""Comparison of ways to reduce the schema and fill rows (SchemaRAG, appendix H; MasonNLP)."""
