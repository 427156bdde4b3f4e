"""Planning of a task: time, title, assignees, reference, policy."""
