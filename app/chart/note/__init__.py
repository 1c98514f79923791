"""The nurse's note: sentences made of the confirmed values of a dictation by a template, and of nothing else."""
