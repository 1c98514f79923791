"""The machine under the program: folders, settings, files that are written whole, job lanes. Knows nothing clinical."""
