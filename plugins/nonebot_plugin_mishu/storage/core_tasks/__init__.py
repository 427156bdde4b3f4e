"""Core tasks (M3): open and recent ones, and what members referred to last."""
