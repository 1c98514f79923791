"""Fits the models that are shipped, for `packaging/fit_shipped_models.py`; it is not installed."""
