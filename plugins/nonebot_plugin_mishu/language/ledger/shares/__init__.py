"""Shared expenses as said: payer, sharers, counts, uneven parts."""
