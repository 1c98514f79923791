"""The main window: layout, menus and keys, and the bridge for events from other threads."""
