"""Core tasks (M3): open and recent ones, and the items last mentioned to members."""
