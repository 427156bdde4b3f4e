"""Bookkeeping: 午饭35，打车20 becomes a card to be confirmed, corrected in words, and saved to the fen.

Seed 4 and product section 6. `reader` makes frames of words, `reading` reads items, `model` checks drafts,
`correcting` corrects them, `sharing` divides (all pure); `handler` executes orders, with `payments`,
`budgets` and `record_changes`; `queries` answers; `agents/drafting` runs cards.
"""

from ...language.entries.entry import Entry
from ...language.entries.reading import read_items, transactions
from .model.remote import correct_for_api
from .reader import correction_in
from .rules import told
from .saved_records import find_meant
from .spec import bookkeeping_spec

__all__ = [
    "Entry",
    "bookkeeping_spec",
    "correct_for_api",
    "correction_in",
    "find_meant",
    "read_items",
    "told",
    "transactions",
]
