"""Exports confirmed values to files for other systems. A new format is an `Exporter`."""
