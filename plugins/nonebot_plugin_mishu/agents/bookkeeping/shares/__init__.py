"""Shared expenses: shares and debts."""
