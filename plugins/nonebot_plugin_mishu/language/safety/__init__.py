"""The safety gate's rules: tables of words and rows (`tables/*.toml`), and what looks for them in a text.

docs/safety.md tells how to add a word or a row.
"""

from __future__ import annotations

from .loader import TABLES, TableError, Tables, load
from .normal_form import HEAD, TAIL, Reader
from .replies import Replies
from .rulebook import Hint, Hit, Rule, Rulebook

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
