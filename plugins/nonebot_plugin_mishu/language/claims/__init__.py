"""What a model's words claim, and which of them are no reply. Pure."""
