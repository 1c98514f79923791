"""Schema files: reading each format, checking.

May import `flowsheet` and `language`. A new file format is a module here that `native_format` selects.
"""
