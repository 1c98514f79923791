"""How the sources of an export hang together: their keys, and the links between them."""
