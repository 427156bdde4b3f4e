"""Polls of a group, and one answer for each member."""
