"""Web access: login codes, sessions, idempotent answers."""
