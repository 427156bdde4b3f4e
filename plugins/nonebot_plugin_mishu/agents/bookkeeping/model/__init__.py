"""Bookkeeping's model calls: parsing, corrections, strict item model."""
