"""Bringing in: calendars and bills of other programs, by file or by address."""
