"""Statistics: boosted trees, linear probes, layer classifiers, conformal error detection. Independent of rows and text.

Imports no other room.
"""
