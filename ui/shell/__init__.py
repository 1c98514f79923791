"""The main window, its menus, and the controllers that bring answers of dialogs to the workbench."""
