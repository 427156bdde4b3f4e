"""Heard lines: message values, the ledger in memory, triggers, names and wake words."""
