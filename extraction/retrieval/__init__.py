"""Schema reduction: from the whole schema to the rows that sentences can mean (SchemaRAG, section 3.1).

May import `annotation`, `preparation`, `estimators` and what is below them. A new sign that a row is meant is a
feature in `prior_features.py`.
"""
