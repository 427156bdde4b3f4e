"""Money between two people as said: lent, given, paid back."""
