"""Numbers bound to what they measure."""
