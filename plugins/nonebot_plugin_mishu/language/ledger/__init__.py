"""Money between people, as a line tells it: who paid, who shares it and how, what is said of it anew.

The rows of `pieces.toml` are found in a line wherever they stand, over the words of `words.toml` and what is
recognised (sums, members, counts); `division` puts them together. Pure.
"""

from .amendments import Amendment, Redone, amendment, left_out, marked, named_with_sum, redone
from .anew import Anew, anew, stays_out
from .askings import asking, bill_asked
from .pieces import (
    ANEW,
    ASKINGS,
    BILLS,
    GIVINGS,
    PIECES,
    SPEAKER,
    EntryPiece,
    PieceRow,
    ledger_words,
    piece_rows,
    pieces,
)
from .repayments.givings import Giving, givings, settlements
from .shares.differences import Difference, difference
from .shares.division import Division, SharePart, Wage, divided
from .shares.people import Name

__all__ = [
    "ANEW",
    "ASKINGS",
    "BILLS",
    "GIVINGS",
    "PIECES",
    "SPEAKER",
    "Amendment",
    "Anew",
    "Difference",
    "Division",
    "EntryPiece",
    "Giving",
    "Name",
    "PieceRow",
    "Redone",
    "SharePart",
    "Wage",
    "amendment",
    "anew",
    "asking",
    "bill_asked",
    "difference",
    "divided",
    "givings",
    "ledger_words",
    "left_out",
    "marked",
    "named_with_sum",
    "piece_rows",
    "pieces",
    "redone",
    "settlements",
    "stays_out",
]
