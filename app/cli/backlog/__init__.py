"""Commands over many dictations: what has no row in them, and a backlog that is read by several processes."""
