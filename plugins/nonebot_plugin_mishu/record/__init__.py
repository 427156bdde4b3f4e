"""The group's record: what was said, told again without inventing (docs/record.md). Pure.

`line` makes lines of the ledger's rows, `findings` collects what matters in a span, `plain` words it without
a model. Single lines are read, and a model's sentences held against them, by `language.lines`.
"""

from .findings import Findings, gather, words_of
from .line import called, line_of
from .plain import LONGEST, plain_form, quoted

__all__ = [
    "LONGEST",
    "Findings",
    "called",
    "gather",
    "line_of",
    "plain_form",
    "quoted",
    "words_of",
]
