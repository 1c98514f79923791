"""The SQLite file: connection, migrations, and records as rows of tables."""
