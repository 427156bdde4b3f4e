"""Bookkeeping's model calls: items parsed, corrections, strict item model."""
