"""The known models, the installed ones, and their sources."""
