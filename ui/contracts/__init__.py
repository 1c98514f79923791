"""Import from a record system: from a folder of exports to a schema in use, and where each row came from."""
