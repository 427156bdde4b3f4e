"""Plain text: numerals and money as Chinese chat writes them. Pure functions that never raise."""

from .numerals import INTEGER, NUMERAL, parse_decimal, parse_integer

__all__ = ["INTEGER", "NUMERAL", "parse_decimal", "parse_integer"]
