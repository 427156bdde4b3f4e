"""What a line is to an open card: a yes, a no, another card's business, which items. Pure."""
