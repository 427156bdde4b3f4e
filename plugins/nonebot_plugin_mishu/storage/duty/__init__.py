"""Duty leases: which account and process answers in a group."""
