"""What a nurse or a hospital does, each call a job. `Workbench` is the one door to all of it."""
