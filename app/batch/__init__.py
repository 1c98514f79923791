"""A backlog of dictations, read by several processes or machines (Dask), each text once."""
