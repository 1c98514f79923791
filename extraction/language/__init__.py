"""English as nurses speak it, with character spans. Independent of schemas and models.

Vocabularies are data in resources/language/<language>/*.toml; a new language is a new folder.
"""
