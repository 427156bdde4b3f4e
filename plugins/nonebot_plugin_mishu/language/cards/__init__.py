"""Role of a line for an open card: yes, no, another card's business, items. Pure."""
