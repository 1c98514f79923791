"""Review of a dictation: its sheet, decisions about its values, filing and export."""
