"""What all services share: settings, store, schema, models, lanes, and who signs."""
