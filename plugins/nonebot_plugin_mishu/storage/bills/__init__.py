"""Imported bills of members: order numbers that were taken in, and previews that wait for a yes."""
