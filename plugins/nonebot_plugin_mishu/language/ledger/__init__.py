"""Money between people, as a line tells it: who paid, who shares it and how, what is said of it anew.

The rows of `pieces.toml` are found in a line wherever they stand, over the words of `words.toml` and what is
recognised (sums, members, counts); `division` puts them together. Pure.
"""

from .amendments import Amendment, Redone, amendment, left_out, marked, redone
from .anew import Anew, anew, stays_out
from .askings import asking
from .pieces import ANEW, ASKINGS, GIVINGS, PIECES, Piece, PieceRow, ledger_words, piece_rows, pieces
from .repayments.givings import Giving, givings, settlements
from .shares.differences import Difference, difference
from .shares.division import Division, Part, Wage, divided
from .shares.people import Name

__all__ = [
    "ANEW",
    "ASKINGS",
    "GIVINGS",
    "PIECES",
    "Amendment",
    "Anew",
    "Difference",
    "Division",
    "Giving",
    "Name",
    "Part",
    "Piece",
    "PieceRow",
    "Redone",
    "Wage",
    "amendment",
    "anew",
    "asking",
    "difference",
    "divided",
    "givings",
    "ledger_words",
    "left_out",
    "marked",
    "piece_rows",
    "pieces",
    "redone",
    "settlements",
    "stays_out",
]
