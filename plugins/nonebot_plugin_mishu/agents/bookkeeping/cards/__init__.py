"""Open cards: answers, corrections, payers and sharers said again."""
