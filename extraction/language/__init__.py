"""English as nurses speak it, with character spans. Knows neither schema nor models.

Vocabularies are data, resources/language/<language>/*.toml; another language is another folder.
"""
