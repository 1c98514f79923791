"""The methods of the SchemaRAG, MasonNLP and ReDD papers, compared with the product: `python -m app.evaluation.papers`.

Nothing imports this room, and it is not installed; it runs from a checkout.
"""
