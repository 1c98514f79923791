"""What the dictation lacks, beside the last look before it is filed."""
