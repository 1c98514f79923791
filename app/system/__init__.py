"""Infrastructure without clinical knowledge: folders, settings, job lanes."""
