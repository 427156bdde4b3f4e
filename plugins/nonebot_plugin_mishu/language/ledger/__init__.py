"""Money between people, as a line tells it: who paid, who shares it and how, what is said of it anew.

The rows of `pieces.toml` are found in a line wherever they stand, over the words of `words.toml` and what is
recognised (sums, members, counts); `division` puts them together. Pure.
"""

from .amendments import Amendment, amendment
from .division import Division, Part, divided
from .people import Name
from .pieces import Piece, PieceRow, ledger_words, piece_rows, pieces

__all__ = [
    "Amendment",
    "Division",
    "Name",
    "Part",
    "Piece",
    "PieceRow",
    "amendment",
    "divided",
    "ledger_words",
    "piece_rows",
    "pieces",
]
