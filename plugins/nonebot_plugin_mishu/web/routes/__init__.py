"""Routes outside `/api/v1` and `/api/groups`: chat, health, metrics, calendars, usage, streams."""
