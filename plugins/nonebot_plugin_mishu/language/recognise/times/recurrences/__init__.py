"""Recurrences as said, their bounds, and when they happen next."""
