"""What the program keeps of a dictation: proposed values with their evidence, and runs; and its written form."""
