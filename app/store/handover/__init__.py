"""What a person notes around a shift: rows they were reminded of and dismissed, and what they write for a handover."""
