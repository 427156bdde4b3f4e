"""Clauses of a line, and their mood, order and order-only pieces. Pure."""
