"""Conversations in memory: rooms, their members, and how they look from outside."""
