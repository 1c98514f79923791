"""Ways of reducing and filling, measured beside each other (SchemaRAG, appendix H; MasonNLP)."""
