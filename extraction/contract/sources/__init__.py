"""The tables of a hospital's exports: finding them, and reading them record by record, nothing changed, nothing lost.

May import `errors`, `people`, `records` and `value_shapes` of the contract. A new file format is a
module here that `discovery` selects.
"""
