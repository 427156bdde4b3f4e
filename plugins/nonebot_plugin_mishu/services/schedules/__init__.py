"""Schedules as a service: listed, expanded, created, changed, deleted."""
