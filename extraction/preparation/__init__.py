"""Prepares a transcript for the models.

Removes parts about other patients, withdrawn words and statements of normal, and assigns times and instances to
sentences. May import `flowsheet` and `language`.
"""
