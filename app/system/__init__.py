"""The machine under the program: folders, settings, job lanes. Knows nothing clinical."""
