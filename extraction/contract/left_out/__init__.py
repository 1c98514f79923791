"""What the exports list and the flowsheet lacks, with the reason, and rows that a person takes in all the same."""
