"""What a hospital sets up: settings, schema, models, and who signs."""
