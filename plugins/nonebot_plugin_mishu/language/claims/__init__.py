"""Claims in a model's words, and texts that are no reply. Pure."""
