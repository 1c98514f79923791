"""Functions that run inside one write transaction, called by the aggregates of the store."""
