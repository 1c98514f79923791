"""The inference process and its messages. Native code runs there, so that a crash never closes the window."""
