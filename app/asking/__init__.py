"""Questions about charted values, answered from a query tree with the arithmetic and the source of every figure."""
