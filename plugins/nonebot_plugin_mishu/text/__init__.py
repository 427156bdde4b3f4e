"""Plain text: one form for reading, numerals and money as chat writes them. Pure; nothing here raises."""

from .amount_context import Role
from .amounts import Amount, find_amounts
from .identifiers import mask_identifiers
from .list_marks import list_marks, parted
from .normalise import Folded, fold, normalise
from .numerals import INTEGER, NUMERAL, parse_decimal, parse_integer

__all__ = [
    "INTEGER",
    "NUMERAL",
    "Amount",
    "Folded",
    "Role",
    "find_amounts",
    "fold",
    "list_marks",
    "mask_identifiers",
    "normalise",
    "parse_decimal",
    "parse_integer",
    "parted",
]
