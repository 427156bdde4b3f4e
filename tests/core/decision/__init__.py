"""The local decision: sentences as tables, properties for every text."""
