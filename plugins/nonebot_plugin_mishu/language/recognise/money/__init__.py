"""Amounts of money in chat, exact, with their roles. Pure; nothing here raises."""

from .amount_context import Role, is_named
from .amounts import Amount, find_amounts

__all__ = ["Amount", "Role", "find_amounts", "is_named"]
