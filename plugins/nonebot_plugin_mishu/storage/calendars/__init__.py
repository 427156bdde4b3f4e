"""Imported calendars of members: where they come from, and what they hold."""
