"""What has no row: what many dictations say that the flowsheet does not take, and what is made of it."""
