"""Calendars of other programs (RFC 5545): read, fetched, kept by UID, and told again by day."""
