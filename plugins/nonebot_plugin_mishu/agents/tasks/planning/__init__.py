"""Planning of a task from what was said: time, title, assignees, reference, policy."""
