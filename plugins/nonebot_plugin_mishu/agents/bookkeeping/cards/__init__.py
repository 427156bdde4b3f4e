"""Open cards: answers, corrections, new payers and sharers."""
