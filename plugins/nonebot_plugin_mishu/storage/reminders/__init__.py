"""Reminders: records, queries, chains of repeated ones, and rows due for sending."""
