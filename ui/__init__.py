"""The main window; the only package that imports Qt.

Rooms, lowest layer first: `kit`; `patients`, `flowsheet`, `recording`; `review`, `dialogs`, `settings`, `setup`;
`controllers`; `shell`.
"""
