"""How the rows of a contract belong together; nothing is merged by it."""
