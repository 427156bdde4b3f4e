"""Memory: the past messages that a reply may see.

`Transcript` shows a stretch of the ledger to a model: speakers kept apart, members under short aliases
instead of their numbers, and the aliases turned back into names in what the model says. `Recollection` is
M1 and M2 (docs/memory.md): the rounds with one member, and the summaries of their tasks, found again by
`query`'s terms. What was stored or said goes into prompts in the one way of
`prompts.quoting`, whose names are here too.
"""

from ..prompts.quoting import clean_name, indented, one_line, quoted
from .recollection import Recollection
from .terms import query, terms
from .transcript import Transcript, TranscriptLine

__all__ = [
    "Recollection",
    "Transcript",
    "TranscriptLine",
    "clean_name",
    "indented",
    "one_line",
    "query",
    "quoted",
    "terms",
]
