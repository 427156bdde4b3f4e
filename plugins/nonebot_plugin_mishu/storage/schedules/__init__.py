"""Schedules of groups: table, records, queries, and calendar tokens."""
