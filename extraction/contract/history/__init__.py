"""The import map: what an export's charted values say about each row, as numbers about many patients."""
