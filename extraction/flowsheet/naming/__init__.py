"""The meaning of row names and fields, and how rows and options are spoken: instances, sides, roles, words."""
