"""What the names and fields of rows mean, and how rows and their options are said: instances, sides, roles, words."""
