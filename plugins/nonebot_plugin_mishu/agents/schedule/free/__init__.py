"""Free time: who is busy when, and when all who were asked about are free (docs/schedules.md)."""
