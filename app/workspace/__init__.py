"""What every operation on the workbench shares: settings, store, schema, models, lanes, who signs."""
