"""Search terms of Chinese text: character uni- and bigrams, Latin words; few, never raw user text.

Full-text search over M2 (product section 3) is asked with these. A query of tens of thousands of terms takes
seconds, and a member's own words may hold the query language's operators: so a query has at most `MOST`
terms, and `storage.fulltext` quotes each of them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ..text.normalise import normalise

MOST = 64
"""Terms of one query."""
_READ = 2000
"""Characters of a text that are read for a query."""
_RUN = re.compile(r"[\u3400-\u9fff]+|[a-z0-9]+")


def terms(text: str, most: int | None = None) -> list[str]:
    """The terms of a text in order, each once: of Chinese runs every character and every pair of
    neighbours, of others whole words. Bigrams first, since they tell more."""
    pairs: list[str] = []
    singles: list[str] = []
    for run in _RUN.findall(normalise(text).casefold()):
        if run.isascii():
            pairs.append(run)
        else:
            pairs.extend("".join(pair) for pair in pairwise(run))
            singles.extend(run)
    found = list(dict.fromkeys([*pairs, *singles]))
    return found if most is None else found[:most]


def query(text: str) -> list[str]:
    """What to look for to find whatever resembles the text: its terms, few; empty where it has none."""
    return terms(text[:_READ], MOST)
