"""Schema reduction: narrows the schema to the rows that sentences can mean (SchemaRAG, section 3.1).

May import `annotation`, `preparation`, `estimators` and anything below them. A new signal that a row is meant is a
feature in `prior_features.py`.
"""
