"""Roles of a line's times: own time, lead, moved end, occurrence, reference. Pure."""
