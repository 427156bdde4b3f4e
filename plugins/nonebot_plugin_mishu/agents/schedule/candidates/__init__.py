"""Schedule candidates: reading, confirmation, correction, operations."""
