"""The inference process: the client, and the tasks that run in it, live ones among them."""
