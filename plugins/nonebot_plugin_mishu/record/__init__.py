"""The group's record: what was said, told again without inventing (docs/record.md). Pure.

`line` is one line of the ledger as it is read here, `spans` says which stretch of time a request means,
`marks` reads single lines by rules, `findings` collects what matters in a span, `plain` words it without a
model, `check` holds every sentence of a model against the lines it names.
"""

from .check import KINDS, Kind, Sentence, SentenceVerdict, check
from .findings import Findings, gather, words_of
from .line import RecordLine, called, line_of
from .marks import asks
from .plain import LONGEST, plain_form, quoted

__all__ = [
    "KINDS",
    "LONGEST",
    "Findings",
    "Kind",
    "RecordLine",
    "Sentence",
    "SentenceVerdict",
    "asks",
    "called",
    "check",
    "gather",
    "line_of",
    "plain_form",
    "quoted",
    "words_of",
]
