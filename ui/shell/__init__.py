"""The main window: its parts in their places, its menus and keys, and the door for events of other threads."""
