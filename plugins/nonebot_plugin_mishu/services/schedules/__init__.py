"""Schedules as a service: listed, expanded, made, changed, called off."""
