"""The words of a language as data: resources/language/<language>/*.toml, checked on load, with what a ward adds.

Each module reads one file and makes patterns or tables of it. A new list of words is a TOML file there and a module
here.
"""
