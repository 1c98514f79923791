"""The page that answers questions about the ward: the question, its parts, the answer and where it comes from."""
