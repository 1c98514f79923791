"""How far the work of the models is, and how to stop it."""
