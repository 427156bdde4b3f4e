"""Money spent, received or moved: items with amount, type, category, words and day. Pure."""
