"""Memory: what of the past a reply may see.

`Transcript` shows a stretch of the ledger to a model: speakers kept apart, members under short aliases
instead of their numbers, and the aliases turned back into names in what the model says. `Recollection` is
M1 and M2 (docs/memory.md): the rounds with one member, and the summaries of their tasks, found again by
`query`'s terms. What was stored goes into prompts as `quoted`.
"""

from .quotes import one_line, quoted
from .recollection import Recollection
from .terms import query, terms
from .transcript import Transcript, TranscriptLine, clean_name

__all__ = [
    "Recollection",
    "Transcript",
    "TranscriptLine",
    "clean_name",
    "one_line",
    "query",
    "quoted",
    "terms",
]
