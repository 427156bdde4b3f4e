"""Plain text: one form for reading, and numerals as Chinese chat writes them. Pure; nothing here raises."""

from .normalise import Folded, fold, normalise
from .numerals import INTEGER, NUMERAL, parse_decimal, parse_integer

__all__ = ["INTEGER", "NUMERAL", "Folded", "fold", "normalise", "parse_decimal", "parse_integer"]
