"""The window; the only package that imports Qt.

Rooms, from the ground up: `kit`; `patients`, `flowsheet`, `recording`; `review`, `dialogs`, `settings`, `setup`;
`controllers`; `shell`.
"""
