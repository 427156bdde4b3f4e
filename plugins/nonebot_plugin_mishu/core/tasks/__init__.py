"""Core tasks (M3): from frames to tasks, which runs now, how each ends."""
