"""What a shift hands over: rows that a dictation lacks, the handover of patients, and the nurse's note."""
