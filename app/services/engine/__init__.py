"""What does the work: lanes of jobs, and the models that turn recordings into values."""
