"""The words of a language as data: resources/language/<language>/*.toml plus the ward's additions, checked on load.

Each module compiles one file into patterns or tables. A new word list needs a TOML file there and a module here.
"""
