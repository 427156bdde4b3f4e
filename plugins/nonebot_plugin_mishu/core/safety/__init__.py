"""The local safety rules: tables of words and rows (`tables/*.toml`) and one pure machine that reads them.

docs/safety.md tells how to add a word or a row.
"""

from __future__ import annotations

from .loader import TABLES, TableError, Tables, load
from .machine import Hint, Hit, Rule, Rulebook
from .reading import HEAD, TAIL, Reader
from .replies import Replies

__all__ = [
    "HEAD",
    "TABLES",
    "TAIL",
    "Hint",
    "Hit",
    "Reader",
    "Replies",
    "Rule",
    "Rulebook",
    "TableError",
    "Tables",
    "load",
]
