"""Database engine: connections, transactions, migrations at start, and the writer task."""
