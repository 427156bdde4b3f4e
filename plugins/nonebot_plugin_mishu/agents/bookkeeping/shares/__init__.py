"""Shared expenses: who bears how much, who owes whom."""
