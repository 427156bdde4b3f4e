"""Adapters: the one thin layer per chat platform. Today: OneBot v11."""
