"""Lines of following up: conditions nobody can watch, reminders until done, nudges, quiet hours. Pure."""
