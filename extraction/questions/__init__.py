"""Questions about charted values: from the words of a question to a query tree, and why some are refused."""
