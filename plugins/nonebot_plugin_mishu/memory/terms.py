"""Search terms of Chinese text: character uni- and bigrams, Latin words; few, never raw user text.

Full-text search over M2 (product section 3) is asked with these. A query of tens of thousands of terms takes
seconds, and a member's own words may hold the query language's operators: so a query has at most `MOST`
terms, and `storage.engine.fulltext` quotes each of them.
"""

from __future__ import annotations

from ..language.text.pairs import pairs, runs

MOST = 64
"""Terms of one query."""
_READ = 2000
"""Characters of a text that are read for a query."""


def terms(text: str, most: int | None = None) -> list[str]:
    """The terms of a text in order, each once: of Chinese runs every character and every pair of
    neighbours, of others whole words. Bigrams first, since they tell more."""
    singles = [character for run in runs(text) if not run.isascii() for character in run]
    found = list(dict.fromkeys([*pairs(text), *singles]))
    return found if most is None else found[:most]


def query(text: str) -> list[str]:
    """Search terms of a text, at most `MOST`; empty where it has none."""
    return terms(text[:_READ], MOST)
