"""What dictations say that the flowsheet has no row for: phrases, clusters of them, and how complete the schema is."""
