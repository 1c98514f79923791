"""Contracts: what a hospital's exports mean, so that its flowsheet can be filled and its values go back under its ids."""
