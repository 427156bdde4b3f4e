"""Memory of persons: turns (M1), digests and summaries (M2)."""
