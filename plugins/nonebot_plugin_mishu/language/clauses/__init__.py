"""A line's clauses, and what each says: how it is said, what it orders, what in it only orders. Pure."""
