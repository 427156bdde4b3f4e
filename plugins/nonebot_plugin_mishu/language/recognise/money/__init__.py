"""Amounts of money in chat, exact, with their roles. Pure; nothing here raises."""

from .amount_context import Role, is_named
from .amounts import Amount, find_amounts
from .money_words import currency_name

__all__ = ["Amount", "Role", "currency_name", "find_amounts", "is_named"]
