"""Confirmed values out of the store and into files for other systems. A new format is an `Exporter`."""
