"""Tasks of members: table, records, queries."""
