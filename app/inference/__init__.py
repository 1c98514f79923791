"""The inference process: its client, and the tasks that run in it, including live ones."""
