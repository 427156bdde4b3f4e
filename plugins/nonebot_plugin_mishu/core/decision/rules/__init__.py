"""Clauses of a message: chosen agents, merged pieces, vetoes by mood."""
