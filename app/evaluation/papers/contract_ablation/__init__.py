"""The ablations of "Executable Schema Contracts" (section 4.3) for the reading of a hospital's exports."""
