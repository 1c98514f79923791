"""Contracts: what a hospital's exports mean; its flowsheet is made of them, and values go back under its ids."""
