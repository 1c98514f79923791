"""Writers of tables and of the sheet to print: pure functions from export records to the bytes of a file."""
