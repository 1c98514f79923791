"""What all operations of the workbench share: settings, store, schema, models, lanes, signers."""
