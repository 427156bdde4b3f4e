"""Calendars (iCalendar) of groups and members: entries, files, the agent."""
