"""A model's reading (`parse_intents`): called, checked, completed from the rules."""
