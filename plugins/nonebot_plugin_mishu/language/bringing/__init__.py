"""Lines about what is brought in from other programs: calendars to subscribe to, files that were sent."""
