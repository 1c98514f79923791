"""What of a transcript the models are to read: parts about other patients, self-corrections and statements of normal
leave it; times and instances are assigned to sentences.

May import `flowsheet` and `language`.
"""
