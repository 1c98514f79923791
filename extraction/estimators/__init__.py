"""Statistics: boosted trees, linear probes, classifiers of layers, conformal error detection. Knows no row and no text.

Imports nothing of the other rooms.
"""
