"""Schema files: reading them in each form, checking them, writing them.

May import `flowsheet` and `language`. A new form of schema file is a module here that `native_format` chooses.
"""
