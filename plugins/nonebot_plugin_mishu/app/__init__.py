"""Composition root: the running plugin put together from its rooms, started and stopped."""
