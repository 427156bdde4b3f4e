"""A model's reading (`parse_intents`): asked for, checked, completed from the rules."""
