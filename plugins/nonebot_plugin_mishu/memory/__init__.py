"""Memory: what of the past a reply may see.

`Transcript` shows a stretch of the ledger to a model: speakers kept apart, members under short aliases
instead of their numbers, and the aliases turned back into names in what the model says. `query` makes a
short, safe full-text query of what somebody said.
"""

from .terms import query, terms
from .transcript import Line, Transcript, clean_name

__all__ = ["Line", "Transcript", "clean_name", "query", "terms"]
