"""Questions about the ward: read, answered, cited, logged and exported."""
